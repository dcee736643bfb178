import { Checkbox } from '@mantine/core'
import { type ScannerClass, schedules } from '#events/schedules/calls.ts'
import type { Call } from '#events/contract/endpoint.ts'
import { call } from '#client/app/call.ts'
import { toastFailure } from '#client/app/toasts.ts'
import classes from './Sources.module.css'

/** What follows once a storage is set up. */
export type FirstScanOptions = { scanNow: boolean; repeatNightly: boolean }

type FirstScanProps = {
  options: FirstScanOptions
  onChange: (options: FirstScanOptions) => void
  /** Why the storage was not created by the last try. */
  refusal: string | undefined
  busy: boolean
}

/** Asks whether a new storage is scanned at once, and each night. */
export function FirstScan({ options, onChange, refusal, busy }: FirstScanProps) {
  return (
    <div className={classes.form}>
      <Checkbox
        label="Scan now"
        description="Nothing of it is shown until its first scan"
        checked={options.scanNow}
        disabled={busy}
        onChange={({ currentTarget }) => onChange({ ...options, scanNow: currentTarget.checked })}
      />
      <Checkbox
        label="Repeat nightly"
        description="Each night at 1:00; the schedule can be changed in Settings, Schedules"
        checked={options.repeatNightly}
        disabled={busy}
        onChange={({ currentTarget }) => onChange({ ...options, repeatNightly: currentTarget.checked })}
      />
      {refusal && <p className={classes.refusal}>{refusal}</p>}
    </div>
  )
}

const everyNight = '0 0 1 * * ?'

/** How a storage of a kind is scanned: once, and by a schedule. */
type ScanOfStorage = { jobClass: ScannerClass; payload: object; start: () => Promise<void> }

/** Scans a storage that was set up, as asked for. It is set up in any case, so a failure is only told. */
export async function beginScans(name: string, { scanNow, repeatNightly }: FirstScanOptions, scan: ScanOfStorage) {
  const { start, ...what } = scan
  const nightly = { name: `${name} nightly`, cron: everyNight, jobGroup: 'SCANNER', ...what } as const
  if (repeatNightly) await call(schedules.create, { body: nightly as ScheduleBody }).catch(toastFailure)
  if (scanNow) await start().catch(toastFailure)
}
type ScheduleBody = Call<typeof schedules.create>['body']
