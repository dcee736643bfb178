import type { ReactNode } from 'react'
import type { Entry } from '#events/entries.ts'
import { Count } from '../../ui/Count.tsx'
import { Moment } from '../../ui/Moment.tsx'
import { Size } from '../../ui/Size.tsx'
import { CopyPath } from '../entry-text/EntryPath.tsx'
import { visible } from '../entry-text/EntryName.tsx'
import { Duplicate } from './Duplicate.tsx'
import classes from './EntryDetails.module.css'

type DetailsGridProps = {
  entry: Entry
  /** What it costs, where that is shown. */
  cost?: ReactNode
}

/** What is known of an entry, as label and value; what it does not have is left out. */
export function DetailsGrid({ entry, cost = null }: DetailsGridProps) {
  const costField: Field = ['Cost', cost]
  const fields = [...placeFields(entry), ...sizeFields(entry), costField, ...dateFields(entry), ...sourceFields(entry)]
  return (
    <div className={classes.room}>
      <dl className={classes.grid}>
        {fields.map(([label, value]) =>
          value === null || value === '' ? null : (
            <div key={label} className={classes.field}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
    </div>
  )
}

type Field = [label: string, value: ReactNode]
const moment = (at: string | null): ReactNode => at && <Moment at={at} />
const count = (of: number | null): ReactNode => (of === null ? null : <Count of={of} />)

const placeFields = (entry: Entry): Field[] => [
  ['Name', <bdi key="name">{visible(entry.name)}</bdi>],
  ['Storage', entry.volumeName],
  [
    'Path',
    <span key="path" className={classes.path}>
      <bdi>{visible(entry.path)}</bdi>
      <CopyPath path={entry.path} />
    </span>,
  ],
  ['Moved or renamed from', entry.previousPath && <bdi className={classes.path}>{visible(entry.previousPath)}</bdi>],
  ['Link to', entry.linkTarget && <bdi className={classes.path}>{visible(entry.linkTarget)}</bdi>],
]

const sizeFields = (entry: Entry): Field[] => [
  ['Size', <Size key="size" bytes={entry.size} />],
  ['Allocated Size', <Size key="allocated" bytes={entry.allocatedSize} />],
  ['Number of Files', count(entry.numberOfFiles)],
  ['Number of Folders', count(entry.numberOfFolders)],
  ['Extension', entry.isDirectory ? null : entry.extension || 'No extension'],
  ['Duplicate', entry.deleted && entry.dupe === null ? null : <Duplicate key="duplicate" entry={entry} />],
]

const dateFields = (entry: Entry): Field[] => [
  ['Creation Date', moment(entry.creationDate)],
  ['Last Access', moment(entry.lastAccess)],
  ['Last Modified', moment(entry.lastModified)],
  ['Last Access (folder only)', entry.isDirectory ? moment(entry.lastAccessFolder) : null],
  ['Last Modified (folder only)', entry.isDirectory ? moment(entry.lastModifiedFolder) : null],
  ['Backup Date', moment(entry.backupDate)],
  ['Indexing Date', entry.indexingDate],
]

const sourceFields = (entry: Entry): Field[] => [
  ['Owner', entry.owner],
  ['Group', entry.group],
  ['Permissions', entry.mode ? (entry.mode & 0o7777).toString(8).padStart(4, '0') : null],
  ['Inode', entry.inode === '0' ? null : entry.inode],
  ['Hard Links', entry.numberOfLinks > 1 ? count(entry.numberOfLinks) : null],
  ['ETag', entry.eTag],
  ['Storage Class', entry.storageClass],
  ['Identification Hash', entry.identificationHash],
  ...Object.entries(entry.metadata).map(([key, value]): Field => [key, value]),
]
