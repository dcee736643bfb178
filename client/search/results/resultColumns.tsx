import { IconTags } from '@tabler/icons-react'
import { archiveStateTitles } from '#events/search/archived.ts'
import type { Entry } from '#events/entries.ts'
import { entryFields } from '#events/entries/fields.ts'
import { archiveRule, archiveText } from '#client/parts/archived/archivedWords.ts'
import { entryColumn } from '#client/parts/entry-text/entryColumn.tsx'
import { EntryName } from '#client/parts/entry-text/EntryName.tsx'
import { contentColumn } from '#client/parts/contents/contentColumn.tsx'
import type { Contents } from '#client/parts/contents/useContents.ts'
import type { Selection } from '#client/parts/selection/selection.ts'
import { Chip } from '#client/ui/values/Chip.tsx'
import type { Column } from '#client/ui/table/column.ts'
import { SelectBox } from '#client/parts/selection/SelectBox.tsx'
import { dayText, hintText, timeText } from '#client/ui/text/moment.ts'
import { Moment } from '#client/ui/values/Moment.tsx'
import { TagList } from '#client/parts/tags/TagList.tsx'
import type { ListKind } from '#client/search/searchAddress.ts'
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
  cell: (entry) => (
    <>
      {entry.deleted && <Chip tone="critical">Deleted</Chip>} <EntryName name={entry.name} />
    </>
  ),
})
const place = [
  entryColumn<Entry>('volumeName', { width: '7.5rem', room: 'small' }),
  entryColumn<Entry>('path', { room: 'small' }),
  entryColumn<Entry>('size', { width: '5.5rem' }),
]
const numbers = [
  entryColumn<Entry>('numberOfFiles', { width: '5rem', room: 'medium' }),
  entryColumn<Entry>('numberOfFolders', { width: '5rem', room: 'medium' }),
]
const extension = entryColumn<Entry>('extension', {
  width: '6.25rem',
  room: 'widest',
  cell: ({ extension }) => extension,
})
const others = [
  entryColumn<Entry>('owner', { width: '5.5rem', room: 'medium' }),
  entryColumn<Entry>('group', { width: '5.5rem', room: 'widest' }),
  entryColumn<Entry>('lastModified', { cell: ({ lastModified }) => at(lastModified) }),
  entryColumn<Entry>('lastAccess', { room: 'wide', cell: ({ lastAccess }) => at(lastAccess) }),
  entryColumn<Entry>('creationDate', { room: 'widest', cell: ({ creationDate }) => at(creationDate) }),
]

const archive: EntryColumn = {
  key: 'archive',
  title: entryFields.archive.label,
  width: '9rem',
  room: 'medium',
  hint: archiveRule,
  cell: ({ archive }) => archive && <span title={archiveText(archive)}>{archiveStateTitles[archive.state]}</span>,
}

/** Columns of the results. Narrow screens show checkbox, name, size and date of last change. */
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
  ...(list === 'folders' ? numbers : [extension]),
  ...others,
  ...(hasArchives && list === 'files' ? [archive] : []),
  entryColumn<Entry>('customTag', {
    sortable: false,
    width: '9rem',
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
