import { Checkbox } from '@mantine/core'
import { schedules } from '#events/schedules/calls.ts'
import { type SourceKind, sources } from '#events/sources/kinds.ts'
import type { Call } from '#events/contract/endpoint.ts'
import { call } from '#client/app/call.ts'
import { toastFailure } from '#client/app/toasts/toasts.ts'
import { startScan } from '#client/parts/scan-dialog/startScan.tsx'
import classes from './Sources.module.css'

/** Scans to start or schedule once a storage is set up. */
export type FirstScanOptions = { scanNow: boolean; repeatNightly: boolean }

type FirstScanProps = {
  options: FirstScanOptions
  onChange: (options: FirstScanOptions) => void
  busy: boolean
}

/** Chooses if a new storage is scanned at once, and each night. */
export function FirstScan({ options, onChange, busy }: FirstScanProps) {
  return (
    <div className={classes.form}>
      <Checkbox
        label="Scan now"
        description="The storage appears after its first scan"
        checked={options.scanNow}
        disabled={busy}
        onChange={({ currentTarget }) => onChange({ ...options, scanNow: currentTarget.checked })}
      />
      <Checkbox
        label="Repeat nightly"
        description="Every night at 01:00. Change it under Settings › Schedules."
        checked={options.repeatNightly}
        disabled={busy}
        onChange={({ currentTarget }) => onChange({ ...options, repeatNightly: currentTarget.checked })}
      />
    </div>
  )
}

const everyNight = '0 0 1 * * ?'

type NewSource = { kind: SourceKind; id: number; name: string }

/**
 * Scans a new source as chosen; its first scan is a full one. The source exists in any case, so failures only show a
 * message.
 */
export async function startFirstScan({ kind, id, name }: NewSource, { scanNow, repeatNightly }: FirstScanOptions) {
  const { scheduledBy, idsName, hasDelta } = sources[kind]
  const payload = { [idsName]: [id], cloneIndex: true, ...(hasDelta && { isDeltaScan: true }) }
  const nightly = { name: `${name} nightly`, cron: everyNight, jobGroup: 'SCANNER', jobClass: scheduledBy[1], payload }
  if (repeatNightly) await call(schedules.create, { body: nightly as ScheduleBody }).catch(toastFailure)
  if (scanNow) await startScan({ kind, ids: [id], cloneIndex: true, isDeltaScan: false }).catch(toastFailure)
}
type ScheduleBody = Call<typeof schedules.create>['body']
