import type { ScanRecord } from '#events/scans/calls.ts'
import { PathText } from '#client/ui/values/PathText.tsx'
import { StatusBadge } from '#client/ui/values/StatusBadge.tsx'
import { ScanFigures, ScanPace, UnreadableChip } from '#client/parts/running-scan/ScanFigures.tsx'
import { RateLine } from './RateLine.tsx'
import { scanStates } from './scanState.ts'
import classes from './ScansCard.module.css'

/** A running scan: speed, progress and current path. */
export function RunningScan({ scan }: { scan: ScanRecord }) {
  const { progress, state } = scan
  const { icon, tone, word } = scanStates[state]
  return (
    <>
      <div className="row between gap-0-16">
        <span className="truncate strong">{scan.volumeName}</span>
        <StatusBadge icon={icon} tone={tone}>
          {word}
        </StatusBadge>
      </div>
      {progress && (
        <>
          <ScanFigures scan={scan} className={classes.progress} isDetailed />
          <RateLine scanId={scan.scanId} rate={progress.rate} />
          <div className={classes.where}>
            {state === 'running' ? <PathText path={progress.currentPath} /> : <span />}
            <ScanPace scan={scan} />
            <UnreadableChip scan={scan} />
          </div>
        </>
      )}
    </>
  )
}
