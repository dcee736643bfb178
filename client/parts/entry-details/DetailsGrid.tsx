import type { ReactNode } from 'react'
import { inSameStorage } from '#events/sources/fullPath.ts'
import { useLicence } from '#client/app/shell/useLicence.ts'
import { archiveRule, archiveText } from '#client/parts/archived/archivedWords.ts'
import { Count } from '#client/ui/values/Count.tsx'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { Moment } from '#client/ui/values/Moment.tsx'
import { InlineFailure } from '#client/ui/feedback/InlineFailure.tsx'
import { Size } from '#client/ui/values/Size.tsx'
import { notEnteredChip } from '#client/parts/storages/notIncluded.ts'
import { CopyPath } from '#client/parts/entry-text/EntryPath.tsx'
import { MarkedText } from '#client/ui/values/PathText.tsx'
import type { KnownEntry } from './useFullEntry.ts'
import classes from './EntryDetails.module.css'

type DetailsGridProps = {
  entry: KnownEntry
  /** State of loading the fields that the row didn't have. */
  remote?: Loadable<unknown> | undefined
  cost?: ReactNode
}

/** Attributes of an entry as label and value. Omits attributes that the entry doesn't have. */
export function DetailsGrid({ entry, remote, cost = null }: DetailsGridProps) {
  const costField: Field = ['Cost', cost]
  const hasArchives = useLicence()('archiwareP5')
  const facts = [
    ...placeFields(entry),
    ...sizeFields(entry),
    costField,
    ...dateFields(entry),
    ...(hasArchives ? [archiveField(entry)] : []),
    ...sourceFields(entry),
  ]
  const fields = [...(remote?.loading ? facts : facts.filter(isKnown)), ...failureOf(facts, remote)]
  return (
    <div className={classes.room}>
      <dl className={classes.grid}>
        {fields.map(([label, value]) =>
          value === null || value === '' ? null : (
            <div key={label} className={classes.field}>
              <dt>{label}</dt>
              <dd>{value === undefined ? '…' : value}</dd>
            </div>
          ),
        )}
      </dl>
    </div>
  )
}

/** Undefined values are not loaded yet; null and empty values don't exist. */
type Field = [label: string, value: ReactNode]
const isKnown = ([, value]: Field) => value !== undefined

/** Shows a load error as an attribute with a retry. Not needed if all attributes are known. */
const failureOf = (facts: Field[], remote: Loadable<unknown> | undefined): Field[] =>
  !remote?.error || remote.loading || facts.every(isKnown)
    ? []
    : [['Other details', <InlineFailure key="others" error={remote.error} retry={remote.retry} />]]

const moment = (at: string | null): ReactNode => <Moment at={at} />
const count = (of: number | null): ReactNode => (of === null ? null : <Count of={of} />)
const ifKnown = <T,>(value: T | undefined, shown: (value: T) => ReactNode) =>
  value === undefined ? undefined : shown(value)

const placeFields = (entry: KnownEntry): Field[] => [
  [
    'Name',
    <bdi key="name">
      <MarkedText text={entry.name} />
    </bdi>,
  ],
  ['Storage', entry.volumeName],
  [
    'Path',
    <span key="path" className={classes.path}>
      <bdi>
        <MarkedText text={entry.fullPath} />
      </bdi>
      <CopyPath path={entry.fullPath} />
    </span>,
  ],
  [
    'Moved or renamed from',
    entry.previousPath ? (
      <bdi className={classes.path}>
        <MarkedText text={inSameStorage(entry, entry.previousPath)} />
      </bdi>
    ) : null,
  ],
  ['Contents', entry.notEntered ? notEnteredChip(entry.notEntered) : null],
  [
    'Link to',
    entry.linkTarget ? (
      <bdi className={classes.path}>
        <MarkedText text={entry.linkTarget} />
      </bdi>
    ) : null,
  ],
]

const sizeFields = (entry: KnownEntry): Field[] => [
  ['Size', <Size key="size" bytes={entry.size} />],
  ['Allocated Size', ifKnown(entry.allocatedSize, (bytes) => <Size key="allocated" bytes={bytes} />)],
  ['Number of Files', count(entry.numberOfFiles)],
  ['Number of Folders', count(entry.numberOfFolders)],
  ['Extension', entry.isDirectory ? null : entry.extension || 'No extension'],
  ['Duplicate', ifKnown(entry.dupe ?? undefined, (is) => duplicateText(is, entry.isDirectory))],
]

/** Folders with the same figures may still have different files. */
const duplicateText = (is: boolean, isDirectory: boolean) => (!is ? 'No' : isDirectory ? 'Possibly' : 'Yes')

const dateFields = (entry: KnownEntry): Field[] => [
  ['Creation Date', moment(entry.creationDate)],
  ['Last Access', moment(entry.lastAccess)],
  ['Last Modified', moment(entry.lastModified)],
  ['Last Access (folder only)', entry.isDirectory ? moment(entry.lastAccessFolder) : null],
  ['Last Modified (folder only)', entry.isDirectory ? moment(entry.lastModifiedFolder) : null],
  ['Backup Date', entry.backupDate && moment(entry.backupDate)],
  ['Indexing Date', entry.indexingDate],
]

/** State of a file in the archive indexes, with its definition. */
const archiveField = (entry: KnownEntry): Field => [
  'Archive state',
  entry.isDirectory
    ? null
    : ifKnown(
        entry.archive,
        (archive) =>
          archive && (
            <>
              {archiveText(archive)}
              <small className="muted small block">{archiveRule}</small>
            </>
          ),
      ),
]

const sourceFields = (entry: KnownEntry): Field[] => [
  ['Owner', entry.owner],
  ['Group', entry.group],
  ['Permissions', ifKnown(entry.mode, (mode) => (mode === 0 ? null : (mode & 0o7777).toString(8).padStart(4, '0')))],
  ['Inode', entry.inode === '0' ? null : entry.inode],
  ['Hard Links', entry.numberOfLinks && entry.numberOfLinks > 1 ? count(entry.numberOfLinks) : null],
  ['ETag', entry.eTag ?? null],
  ['Storage Class', entry.storageClass ?? null],
  ['Identification Hash', entry.identificationHash],
  ...Object.entries(entry.metadata ?? {}).map(([key, value]): Field => [key, value]),
]
