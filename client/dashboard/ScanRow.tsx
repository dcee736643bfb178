import { IconBolt } from '@tabler/icons-react'
import type { ScanRecord } from '#events/scans.ts'
import { Chip } from '../ui/Chip.tsx'
import { Count } from '../ui/Count.tsx'
import { Moment } from '../ui/Moment.tsx'
import { Size } from '../ui/Size.tsx'
import { StatusBadge } from '../ui/StatusBadge.tsx'
import { durationText } from '../ui/text/duration.ts'
import { isSuspiciouslyFast, scanStates } from './scanState.ts'
import classes from './ScansCard.module.css'
import { UnreadablePaths } from './UnreadablePaths.tsx'

/** A scan that is over: what it was, when, how long, and what it found. */
export function ScanRow({ scan }: { scan: ScanRecord }) {
  const { icon, tone, word } = scanStates[scan.state]
  const at = scan.startedAt ?? scan.finishedAt
  const counts = scan.state === 'done' || scan.state === 'partial'
  return (
    <>
      <div className={classes.line}>
        <span className={classes.name}>{scan.volumeName}</span>
        <StatusBadge icon={icon} tone={tone}>
          {scan.state === 'partial' ? <UnreadablePaths scan={scan} /> : word}
        </StatusBadge>
      </div>
      <div className={classes.meta}>
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
      {scan.reason && <p className={classes.reason}>{scan.reason}</p>}
      {isSuspiciouslyFast(scan) && (
        <div className={classes.remarks}>
          <Chip icon={IconBolt} tone="warn" title="It took less than a second: it may have seen nothing">
            Suspiciously fast
          </Chip>
        </div>
      )}
    </>
  )
}
