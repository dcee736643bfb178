import { IconTags } from '@tabler/icons-react'
import { archiveStateTitles } from '#events/search/archived.ts'
import type { Entry } from '#events/entries.ts'
import { archiveRule, archiveText } from '#client/parts/archived/archivedWords.ts'
import { EntryName } from '#client/parts/entry-text/EntryName.tsx'
import { EntryPath } from '#client/parts/entry-text/EntryPath.tsx'
import { contentColumn } from '#client/parts/contents/contentColumn.tsx'
import type { Contents } from '#client/parts/contents/useContents.ts'
import type { Selection } from '#client/parts/selection/selection.ts'
import { Chip } from '#client/ui/values/Chip.tsx'
import { Count } from '#client/ui/values/Count.tsx'
import type { Column } from '#client/ui/table/column.ts'
import { Size } from '#client/ui/values/Size.tsx'
import { SelectBox } from '#client/parts/selection/SelectBox.tsx'
import { parentOf } from '#client/ui/text/path.ts'
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

const moment = { width: 'var(--moment)', sortable: true } as const
const at = (moment: string | null) => (moment === null ? <Moment at={null} /> : <RowMoment at={moment} />)
const count = (of: number | null) => of !== null && <Count of={of} />

const name: EntryColumn = {
  key: 'name',
  title: 'Name',
  isFixed: true,
  sortable: true,
  cell: (entry) => (
    <>
      {entry.deleted && <Chip tone="critical">Deleted</Chip>} <EntryName name={entry.name} />
    </>
  ),
}
const place: EntryColumn[] = [
  {
    key: 'volumeName',
    title: 'Storage',
    sortable: true,
    width: '7.5rem',
    room: 'small',
    cell: ({ volumeName }) => <span title={volumeName}>{volumeName}</span>,
  },
  {
    key: 'path',
    title: 'Folder',
    sortable: true,
    room: 'small',
    cell: ({ fullPath }) => <EntryPath path={parentOf(fullPath)} />,
  },
  {
    key: 'size',
    title: 'Size',
    sortable: true,
    width: '5.5rem',
    align: 'right',
    cell: ({ size }) => <Size bytes={size} />,
  },
]
const numbers: EntryColumn[] = [
  {
    key: 'numberOfFiles',
    title: 'Files',
    sortable: true,
    width: '5rem',
    align: 'right',
    room: 'medium',
    cell: ({ numberOfFiles }) => count(numberOfFiles),
  },
  {
    key: 'numberOfFolders',
    title: 'Folders',
    sortable: true,
    width: '5rem',
    align: 'right',
    room: 'medium',
    cell: ({ numberOfFolders }) => count(numberOfFolders),
  },
]
const extension: EntryColumn = {
  key: 'extension',
  title: 'Extension',
  sortable: true,
  width: '6.25rem',
  room: 'widest',
  cell: ({ extension }) => extension,
}
const owners: EntryColumn[] = [
  {
    key: 'owner',
    title: 'Owner',
    sortable: true,
    width: '5.5rem',
    room: 'medium',
    cell: ({ owner }) => <span title={owner}>{owner}</span>,
  },
  {
    key: 'group',
    title: 'Group',
    sortable: true,
    width: '5.5rem',
    room: 'widest',
    cell: ({ group }) => <span title={group}>{group}</span>,
  },
]
const dates: EntryColumn[] = [
  { key: 'lastModified', title: 'Last Modified', ...moment, cell: ({ lastModified }) => at(lastModified) },
  { key: 'lastAccess', title: 'Last Access', ...moment, room: 'wide', cell: ({ lastAccess }) => at(lastAccess) },
  {
    key: 'creationDate',
    title: 'Creation Date',
    ...moment,
    room: 'widest',
    cell: ({ creationDate }) => at(creationDate),
  },
]

const archive: EntryColumn = {
  key: 'archive',
  title: 'Archive state',
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
  ...owners,
  ...dates,
  ...(hasArchives && list === 'files' ? [archive] : []),
  {
    key: 'customTag',
    title: 'Tags',
    width: '9rem',
    room: 'medium',
    cell: (entry) => <RowTags entry={entry} onTags={onTags} />,
  },
]

/** Date, with the time if there is room. */
function RowMoment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={hintText(at)}>
      {dayText(at)}
      <span className={classes.time}> {timeText(at).slice(0, 5)}</span>
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
