import { IconBolt } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import type { ScanRecord } from '#events/scans/calls.ts'
import { counted } from '#client/ui/text/count.ts'
import { durationText } from '#client/ui/text/duration.ts'
import { Chip } from '#client/ui/values/Chip.tsx'
import { Count } from '#client/ui/values/Count.tsx'
import { Moment } from '#client/ui/values/Moment.tsx'
import { Size } from '#client/ui/values/Size.tsx'
import { StatusBadge } from '#client/ui/values/StatusBadge.tsx'
import { isSuspiciouslyFast, scanStates } from './scanState.ts'
import classes from './ScansCard.module.css'
import unreadable from './UnreadablePaths.module.css'

/** A finished scan: storage, time, duration and result. */
export function ScanRow({ scan }: { scan: ScanRecord }) {
  const { icon, tone, word } = scanStates[scan.state]
  const at = scan.startedAt ?? scan.finishedAt
  const counts = scan.state === 'done' || scan.state === 'partial'
  return (
    <>
      <div className="row between gap-0-16">
        <span className="truncate strong">{scan.volumeName}</span>
        <StatusBadge icon={icon} tone={tone}>
          {scan.state === 'partial' ? <UnreadablePaths scan={scan} /> : word}
        </StatusBadge>
      </div>
      <div className="row wrap between muted small nowrap gap-0-16">
        <span>
          {at && <Moment at={at} />}
          {scan.crawlDuration !== null && scan.crawlDuration >= 0 && ` · ${durationText(scan.crawlDuration)}`}
        </span>
        {counts && (
          <span>
            <Count of={scan.files} one="file" /> · <Size bytes={scan.bytes} />
          </span>
        )}
      </div>
      {scan.reason && <p className="muted small break">{scan.reason}</p>}
      {isSuspiciouslyFast(scan) && (
        <div className={classes.remarks}>
          <Chip icon={IconBolt} tone="warn" title="The scan took less than a second and may have found nothing">
            Suspiciously fast
          </Chip>
        </div>
      )}
    </>
  )
}

// Lazy, since the first page includes no dialogs.
const UnreadableDialog = lazy(() => import('./UnreadableDialog.tsx').then((m) => ({ default: m.UnreadableDialog })))

/** Marks a partial scan, and opens the list of unreadable paths. */
function UnreadablePaths({ scan }: { scan: ScanRecord }) {
  const [opened, open] = useState<boolean>()
  return (
    <>
      <button type="button" className={unreadable.open} onClick={() => open(true)}>
        {`Partial: ${counted(scan.unreadable, 'path')} unreadable`}
      </button>
      <Suspense fallback={null}>
        {opened !== undefined && <UnreadableDialog scan={scan} opened={opened} onClose={() => open(false)} />}
      </Suspense>
    </>
  )
}
