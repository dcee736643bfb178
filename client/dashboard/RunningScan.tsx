import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { ScanRecord } from '#events/scans.ts'
import { Chip } from '../ui/Chip.tsx'
import { Count } from '../ui/Count.tsx'
import { Elapsed } from '../ui/Elapsed.tsx'
import { PathText } from '../ui/PathText.tsx'
import { Size } from '../ui/Size.tsx'
import { StatusBadge } from '../ui/StatusBadge.tsx'
import { counted } from '../ui/text/count.ts'
import { RateLine } from './RateLine.tsx'
import { scanStates } from './scanState.ts'
import classes from './ScansCard.module.css'

/** A scan under way: how fast, how far, and where it is. */
export function RunningScan({ scan }: { scan: ScanRecord }) {
  const { progress, state, startedAt } = scan
  const { icon, tone, word } = scanStates[state]
  return (
    <>
      <div className={classes.line}>
        <span className={classes.name}>{scan.volumeName}</span>
        <StatusBadge icon={icon} tone={tone}>
          {word}
        </StatusBadge>
      </div>
      {progress && (
        <>
          <dl className={classes.progress} data-live>
            <Value label="Entries/s">
              <Count of={state === 'running' ? progress.rate : 0} />
            </Value>
            <Value label="Entries">
              <Count of={progress.entries} />
            </Value>
            <Value label="Folders">
              <Count of={progress.directories} />
            </Value>
            <Value label="Size">
              <Size bytes={progress.bytes} />
            </Value>
            <Value label="Elapsed">{startedAt ? <Elapsed since={startedAt} /> : '-'}</Value>
          </dl>
          <RateLine scanId={scan.scanId} rate={progress.rate} />
          <div className={classes.where}>
            {state === 'running' && <PathText path={progress.currentPath} />}
            {progress.unreadable > 0 && (
              <Chip icon={IconAlertTriangle} tone="warn">
                {`${counted(progress.unreadable, 'path')} unreadable`}
              </Chip>
            )}
          </div>
        </>
      )}
    </>
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
