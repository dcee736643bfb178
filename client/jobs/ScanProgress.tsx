import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { ScanRecord } from '#events/scans.ts'
import { Chip } from '../ui/Chip.tsx'
import { Count } from '../ui/Count.tsx'
import { PathText } from '../ui/PathText.tsx'
import { ProgressBar } from '../ui/ProgressBar.tsx'
import { Size } from '../ui/Size.tsx'
import { counted, percentText } from '../ui/text/count.ts'
import type { RunningScan } from './runningScans.ts'
import classes from './RunningJobs.module.css'

/** What a scan is doing, in words. */
const phases: Partial<Record<ScanRecord['state'], string>> = {
  running: 'Walking the folders',
  committing: 'Saving the snapshot',
}

/** A scan of a running job: its storage, phase, speed and place. */
export function ScanProgress({ scan, share }: RunningScan) {
  const { progress, state, volumeName } = scan
  const path = state === 'running' && progress?.currentPath
  return (
    <div className={classes.scan}>
      <span className={classes.storage} title={volumeName}>
        {volumeName}
      </span>
      <span className={classes.phase}>{phases[state]}</span>
      <dl className={classes.figures} data-live>
        <Value label="Entries/s">
          <Count of={state === 'running' ? (progress?.rate ?? 0) : 0} />
        </Value>
        <Value label="Entries">
          <Count of={progress?.entries ?? scan.files + scan.folders} />
        </Value>
        <Value label="Size">
          <Size bytes={progress?.bytes ?? scan.bytes} />
        </Value>
      </dl>
      <div className={classes.bar}>
        <ProgressBar share={share} label={`How far the scan of ${volumeName} is`} />
        <span className={classes.share} title="Compared with the entries of the last scan">
          {share !== undefined && state === 'running' && `about ${percentText(share)}`}
        </span>
      </div>
      <div className={classes.where}>
        {path ? <PathText path={path} /> : <span />}
        {progress !== null && progress.unreadable > 0 && (
          <Chip icon={IconAlertTriangle} tone="warn">
            {`${counted(progress.unreadable, 'path')} unreadable`}
          </Chip>
        )}
      </div>
    </div>
  )
}

function Value({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
