import type { ScanRecord } from '#events/scans/calls.ts'
import { ProgressBar } from '#client/ui/feedback/ProgressBar.tsx'
import { percentText } from '#client/ui/text/count.ts'
import { PathText } from '#client/ui/values/PathText.tsx'
import { ScanFigures, ScanPace, UnreadableChip } from '#client/parts/running-scan/ScanFigures.tsx'
import type { RunningScan } from './runningScans.ts'
import classes from './RunningJobs.module.css'

/** Phase of a scan as text. */
const phases: Partial<Record<ScanRecord['state'], string>> = {
  running: 'Reading the storage',
  committing: 'Saving the snapshot',
}

/** A scan of a running job: storage, phase, speed and current path. */
export function ScanProgress({ scan, share }: RunningScan) {
  const { progress, state, volumeName } = scan
  const path = state === 'running' && progress?.currentPath
  return (
    <div className={classes.scan}>
      <span className={classes.storage} title={volumeName}>
        {volumeName}
      </span>
      <span className={classes.phase}>{phases[state]}</span>
      <ScanFigures scan={scan} className={classes.figures} />
      <div className={classes.bar}>
        <ProgressBar share={share} label={`Progress of the scan of ${volumeName}`} />
        <span className={classes.share} title="Compared with the entries of the last scan">
          {share !== undefined && state === 'running' && `about ${percentText(share)}`}
        </span>
      </div>
      <div className={classes.where}>
        {path ? <PathText path={path} /> : <span />}
        <ScanPace scan={scan} />
        <UnreadableChip scan={scan} />
      </div>
    </div>
  )
}
