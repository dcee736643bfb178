import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { entryFields, type OwnField, ownFields, rowOf } from '#events/entries/fields.ts'
import type { FileArchive } from '#events/search/archived.ts'
import { literalPattern } from '#events/search/patterns.ts'
import { inSameStorage } from '#events/sources/fullPath.ts'
import { useLinks } from '#client/app/links.ts'
import { useLicence } from '#client/app/shell/useLicence.ts'
import { archiveRule, archiveText } from '#client/parts/archived/archivedWords.ts'
import { metadataText, metadataTitle } from '#client/parts/media/mediaWords.ts'
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
  const hasArchives = useLicence()('archiwareP5')
  const facts = shownFields
    .filter((field) => hasArchives || field !== 'archive')
    .map((field): Field => (field === 'cost' ? ['Cost', cost] : [labelOf(field), valueOf(field, entry)]))
    .concat(
      Object.entries(entry.metadata ?? {}).map(([key, value]): Field => [metadataTitle(key), metadataText(key, value)]),
    )
  const missing = facts.flatMap(([label, value]) => (value === unknown ? [label] : []))
  const shown = facts.filter(([, value]) => value !== unknown && (remote?.loading || value !== undefined))
  const fields = [
    ...shown,
    ...(missing.length > 0 ? [['Unknown', missing.join(', ')] as Field] : []),
    ...failureOf(facts, remote),
  ]
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

/** Value of a date that the storage doesn't have. These are listed together. */
const unknown = 'Unknown'
/** Undefined values are not loaded yet; null and empty values don't exist. */
type Field = [label: string, value: ReactNode]
const isKnown = ([, value]: Field) => value !== undefined

/** Shows a load error as an attribute with a retry. Not needed if all attributes are known. */
const failureOf = (facts: Field[], remote: Loadable<unknown> | undefined): Field[] =>
  !remote?.error || remote.loading || facts.every(isKnown)
    ? []
    : [['Other details', <InlineFailure key="others" error={remote.error} retry={remote.retry} />]]

/** Main fields in display order; others follow. */
const mainFields = [
  'name',
  'volumeName',
  'path',
  'previousPath',
  'notEntered',
  'linkTarget',
  'size',
  'allocatedSize',
  'numberOfFiles',
  'numberOfFolders',
  'extension',
  'dupe',
  'cost',
  'creationDate',
  'lastAccess',
  'lastModified',
  'lastAccessFolder',
  'lastModifiedFolder',
  'backupDate',
  'indexingDate',
  'archive',
  'owner',
  'group',
  'mode',
  'inode',
  'numberOfLinks',
  'eTag',
  'storageClass',
  'identificationHash',
] as const
/** Fields without a place in the grid: shown elsewhere, or part of others. */
const hidden: readonly OwnField[] = ['fileId', 'fullPath', 'isDirectory', 'deleted', 'customTag']
type ShownField = (typeof mainFields)[number] | OwnField
const shownFields = [
  ...new Set<ShownField>([
    ...mainFields,
    ...ownFields.filter((field) => rowOf(field).label && !hidden.includes(field)),
  ]),
]
const labelOf = (field: ShownField) => rowOf(field).label ?? field

const path = (text: string | undefined, entry: KnownEntry) =>
  text ? (
    <bdi className={`flex start small mono break gap-4 ${classes.path}`}>
      <MarkedText text={inSameStorage(entry, text)} />
    </bdi>
  ) : null

/** Values that differ from those of their kind. */
const special: Partial<Record<OwnField, (entry: KnownEntry) => ReactNode>> = {
  name: ({ name }) => (
    <bdi>
      <MarkedText text={name} />
    </bdi>
  ),
  path: ({ fullPath }) => (
    <span className={`flex start small mono break gap-4 ${classes.path}`}>
      <bdi>
        <MarkedText text={fullPath} />
      </bdi>
      <CopyPath path={fullPath} />
    </span>
  ),
  previousPath: (entry) => path(entry.previousPath, entry),
  notEntered: ({ notEntered }) => (notEntered ? notEnteredChip(notEntered) : null),
  linkTarget: (entry) => path(entry.linkTarget, entry),
  extension: ({ isDirectory, extension }) => (isDirectory ? null : extension || 'No extension'),
  dupe: (entry) => ifKnown(entry.dupe ?? undefined, (is) => <DuplicateText is={is} entry={entry} />),
  backupDate: ({ backupDate }) => backupDate && <Moment at={backupDate} />,
  archive: ({ isDirectory, archive }) => (isDirectory ? null : ifKnown(archive, archiveValue)),
  mode: ({ mode }) => ifKnown(mode, (mode) => (mode === 0 ? null : (mode & 0o7777).toString(8).padStart(4, '0'))),
  inode: ({ inode }) => (inode === '0' ? null : inode),
  numberOfLinks: ({ numberOfLinks }) => (numberOfLinks && numberOfLinks > 1 ? <Count of={numberOfLinks} /> : null),
  identificationHash: ({ identificationHash }) => identificationHash,
}

function valueOf(field: Exclude<ShownField, 'cost'>, entry: KnownEntry): ReactNode {
  if (special[field]) return special[field](entry)
  const value = entry[field]
  switch (entryFields[field].kind) {
    case 'moment':
      return ifKnown(value as string | null | undefined, momentOf)
    case 'folderMoment':
      return entry.isDirectory ? momentOf(value as string | null) : null
    case 'bytes':
      return ifKnown(value, (bytes) => <Size bytes={Number(bytes)} />)
    case 'count':
      return typeof value === 'number' ? <Count of={value} /> : null
    default:
      return value === undefined || value === null ? null : String(value)
  }
}

const momentOf = (at: string | null) => (at === null ? unknown : <Moment at={at} />)

const ifKnown = <T,>(value: T | undefined, shown: (value: T) => ReactNode) =>
  value === undefined ? undefined : shown(value)

/** Leads to all copies of a file. Folders with the same figures may still have different files. */
function DuplicateText({ is, entry: { name, size, isDirectory } }: { is: boolean; entry: KnownEntry }) {
  const links = useLinks()
  if (!is || isDirectory) return is ? 'Possibly' : 'No'
  const ofSize = size > 0 ? { minimumSize: size, maximumSize: size } : {}
  return (
    <Link
      href={links.search({ search: literalPattern(name), onlyDuplicates: 'true', ...ofSize })}
      title="Show all copies"
    >
      Yes
    </Link>
  )
}

/** State of a file in the archive indexes, with its definition. */
const archiveValue = (archive: FileArchive | null) =>
  archive && (
    <>
      {archiveText(archive)}
      <small className="muted small block">{archiveRule}</small>
    </>
  )
