import type { ReactNode } from 'react'
import type { FolderAtDate } from '#events/folders/calls.ts'
import { notEnteredChip } from '#client/parts/storages/notIncluded.ts'
import { Chip } from '#client/ui/values/Chip.tsx'
import { Count } from '#client/ui/values/Count.tsx'
import { Moment } from '#client/ui/values/Moment.tsx'
import { Size } from '#client/ui/values/Size.tsx'
import { changedFields, type TimelineField, timelineFields } from './timeline.ts'
import classes from './Folders.module.css'

/** Attributes of the folder in a snapshot, with the previous value of those that changed. */
export function FactsAtDate({ history, index }: { history: readonly FolderAtDate[]; index: number }) {
  const [before, now] = [history[index - 1], history[index]]
  if (!now) return null
  const changed = changedFields(history, index)
  return (
    <>
      {now.unreadable && (
        <p className={classes.partial}>
          <Chip tone="warn">Partial: some paths in the folder could not be read</Chip>
        </p>
      )}
      {now.notEntered && (
        <p className={classes.partial}>
          <Chip tone="warn">{notEnteredChip(now.notEntered)}</Chip>
        </p>
      )}
      <dl className={classes.facts}>
        {timelineFields.map((field) => (
          <div className={classes.fact} key={field} data-changed={changed.includes(field)}>
            <dt>{titles[field]}</dt>
            <dd className="flex wrap baseline break">
              {shown[field](now)}
              {before && changed.includes(field) && (
                <span className="muted small nowrap">was {shown[field](before)}</span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

const titles: Record<TimelineField, string> = {
  size: 'Size',
  numberOfFolders: 'Folders',
  numberOfFiles: 'Files',
  creationDate: 'Created',
  lastModified: 'Last modified',
  lastAccess: 'Last access',
  indexingDate: 'Snapshot',
  group: 'Group',
  owner: 'Owner',
  inode: 'Inode',
}

const known = (at: string | null) => <Moment at={at} />

const shown: Record<TimelineField, (folder: FolderAtDate) => ReactNode> = {
  size: ({ size }) => <Size bytes={size} />,
  numberOfFolders: ({ numberOfFolders }) => <Count of={numberOfFolders} />,
  numberOfFiles: ({ numberOfFiles }) => <Count of={numberOfFiles} />,
  creationDate: ({ creationDate }) => known(creationDate),
  lastModified: ({ lastModified }) => known(lastModified),
  lastAccess: ({ lastAccess }) => known(lastAccess),
  indexingDate: ({ indexingDate }) => indexingDate,
  group: ({ group }) => group || '-',
  owner: ({ owner }) => owner || '-',
  inode: ({ inode }) => (inode === '0' ? '-' : inode),
}
