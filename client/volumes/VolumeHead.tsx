import { IconAlertTriangle } from '@tabler/icons-react'
import type { DetailedVolume } from '#events/storages.ts'
import { CopyPath } from '../parts/entry-text/EntryPath.tsx'
import { Chip } from '../ui/Chip.tsx'
import { PathText } from '../ui/PathText.tsx'
import { VolumeActions } from './VolumeActions.tsx'
import classes from './Volume.module.css'

/** Where a storage lies, who scanned it, and what is looked at. */
export function VolumeHead({ volume }: { volume: DetailedVolume }) {
  const { path, server, indexingDate, isPartial } = volume
  return (
    <div className={classes.top}>
      <dl className={classes.head}>
        <div>
          <dt>Path</dt>
          <dd>
            <PathText path={path} />
            <CopyPath path={path} />
          </dd>
        </div>
        <div>
          <dt>Agent</dt>
          <dd>{server?.name ?? 'Unknown'}</dd>
        </div>
        <div>
          <dt>Snapshot</dt>
          <dd>
            {indexingDate}
            {isPartial && (
              <Chip
                icon={IconAlertTriangle}
                tone="warn"
                title="Some of it could not be read, so totals are a lower bound"
              >
                Partial
              </Chip>
            )}
          </dd>
        </div>
      </dl>
      <VolumeActions volume={volume} />
    </div>
  )
}
