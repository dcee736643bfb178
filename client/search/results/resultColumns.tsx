import { IconTags } from '@tabler/icons-react'
import { archiveStateTitles } from '#events/search/archived.ts'
import type { Entry } from '#events/entries.ts'
import { entryFields } from '#events/entries/fields.ts'
import { mediaFieldOf, isMediaNumber, mediaNames } from '#events/media/names.ts'
import { archiveRule, archiveText } from '#client/parts/archived/archivedWords.ts'
import { entryColumn } from '#client/parts/entry-text/entryColumn.tsx'
import { EntryName } from '#client/parts/entry-text/EntryName.tsx'
import { contentColumn } from '#client/parts/contents/contentColumn.tsx'
import type { Contents } from '#client/parts/contents/useContents.ts'
import { metadataText, metadataTitle } from '#client/parts/media/mediaWords.ts'
import type { Selection } from '#client/parts/selection/selection.ts'
import { Chip } from '#client/ui/values/Chip.tsx'
import type { Column } from '#client/ui/table/column.ts'
import { SelectBox } from '#client/parts/selection/SelectBox.tsx'
import { dayText, hintText, timeText } from '#client/ui/text/moment.ts'
import { Moment } from '#client/ui/values/Moment.tsx'
import { TagList } from '#client/parts/tags/TagList.tsx'
import type { ListKind } from '#client/parts/searched/searchAddress.ts'
import classes from './Results.module.css'

type ColumnActions = {
  selection: Selection
  onSelect: (entry: Entry, isRange: boolean) => void
  /** Undefined if tags can't be changed. */
  onTags: ((entry: Entry) => void) | undefined
  /** False if files can't have an archive state. */
  hasArchives: boolean
  /** Results of comparing contents; undefined in lists that are not of duplicates. */
  contents: Contents | undefined
}
type EntryColumn = Column<Entry>

const at = (moment: string | null) => (moment === null ? <Moment at={null} /> : <RowMoment at={moment} />)

const name = entryColumn<Entry>('name', {
  isFixed: true,
  wraps: true,
  text: ({ name, deleted }) => (deleted ? `Deleted __${name}` : name),
  maxWidth: '42cqw',
  cell: (entry) => (
    <>
      {entry.deleted && <Chip tone="critical">Deleted</Chip>} <EntryName name={entry.name} />
    </>
  ),
})
const textColumn = (field: 'volumeName' | 'owner' | 'group' | 'extension', room: NonNullable<EntryColumn['room']>) =>
  entryColumn<Entry>(field, { room, text: (entry) => entry[field] })
const place = [entryColumn<Entry>('path'), entryColumn<Entry>('size', { width: '5.5rem' })]
const numbers = [
  entryColumn<Entry>('numberOfFiles', { width: '5rem', room: 'medium' }),
  entryColumn<Entry>('numberOfFolders', { width: '5rem', room: 'medium' }),
]
const lastAccess = entryColumn<Entry>('lastAccess', { room: 'small', cell: ({ lastAccess }) => at(lastAccess) })
const others = [
  textColumn('volumeName', 'medium'),
  entryColumn<Entry>('lastModified', { room: 'wide', cell: ({ lastModified }) => at(lastModified) }),
  textColumn('group', 'widest'),
  entryColumn<Entry>('creationDate', { room: 'widest', cell: ({ creationDate }) => at(creationDate) }),
]

/** As wide as the button that edits tags. */
const editRoom = '_____'

const archive: EntryColumn = {
  key: 'archive',
  title: entryFields.archive.label,
  text: ({ archive }) => (archive ? archiveStateTitles[archive.state] : ''),
  room: 'medium',
  hint: archiveRule,
  cell: ({ archive }) => archive && <span title={archiveText(archive)}>{archiveStateTitles[archive.state]}</span>,
}

const mediaColumns = mediaNames.map((name): EntryColumn => {
  const key = mediaFieldOf(name)
  const text = ({ metadata }: Entry) => (metadata[key] === undefined ? '' : metadataText(key, metadata[key]))
  return {
    key: name,
    title: metadataTitle(key),
    sortable: true,
    isOptional: true,
    text,
    cell: text,
    ...(isMediaNumber(name) && { align: 'right' }),
  }
})

/** Columns to choose from: those of media only if a row has a value, or if the user chose them before. */
export const offeredColumns = (
  columns: readonly EntryColumn[],
  rows: readonly Entry[],
  isChosen: Readonly<Record<string, boolean>>,
): EntryColumn[] =>
  columns.filter((column) => !column.isOptional || isChosen[column.key] || rows.some((row) => column.text?.(row)))

/** Columns of the results. Narrow screens show checkbox, name, folder and size. */
export const resultColumns = (
  list: ListKind,
  { selection, onSelect, onTags, hasArchives, contents }: ColumnActions,
): EntryColumn[] => [
  {
    key: 'select',
    title: 'Select',
    isTitleHidden: true,
    width: '2.5rem',
    cell: (entry) => <SelectBox entry={entry} selection={selection} onSelect={onSelect} />,
  },
  name,
  ...place,
  ...(list === 'files' && contents ? [contentColumn(contents)] : []),
  ...(list === 'folders' ? numbers : []),
  lastAccess,
  textColumn('owner', 'small'),
  ...others,
  ...(list === 'files' ? [textColumn('extension', 'widest'), ...mediaColumns] : []),
  // Of copies, the folder needs the room.
  ...(hasArchives && list === 'files' ? [{ ...archive, ...(contents && ({ room: 'widest' } as const)) }] : []),
  entryColumn<Entry>('customTag', {
    sortable: false,
    text: ({ customTag }) => customTag.map((tag) => `${tag}___`).join('') + editRoom,
    room: 'medium',
    cell: (entry) => <RowTags entry={entry} onTags={onTags} />,
  }),
]

/** Date, with the time if there is room. */
function RowMoment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={hintText(at)}>
      {dayText(at)}
      <span className={`muted ${classes.time}`}> {timeText(at).slice(0, 5)}</span>
    </time>
  )
}

/** Tags, with edit buttons on hover. */
function RowTags({ entry, onTags }: { entry: Entry; onTags: ((entry: Entry) => void) | undefined }) {
  return (
    <div className={classes.tags}>
      {entry.customTag.length > 0 && <TagList tags={entry.customTag} />}
      {onTags && !entry.deleted && (
        <button
          type="button"
          className={classes.tagIt}
          tabIndex={-1}
          aria-label={`Tags of ${entry.name}`}
          title="Tags"
          onClick={() => onTags(entry)}
        >
          <IconTags size={16} stroke={1.5} aria-hidden />
        </button>
      )}
    </div>
  )
}
