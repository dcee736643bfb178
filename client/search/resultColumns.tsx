import type { Entry } from '#events/entries.ts'
import { EntryName } from '../parts/entry-text/EntryName.tsx'
import { EntryPath } from '../parts/entry-text/EntryPath.tsx'
import type { Selection } from '../parts/selection/selection.ts'
import { Chip } from '../ui/Chip.tsx'
import { Count } from '../ui/Count.tsx'
import type { Column } from '../ui/column.ts'
import { Size } from '../ui/Size.tsx'
import type { ListKind } from './listKind.ts'
import { RowMoment } from './RowMoment.tsx'
import { RowTags } from './RowTags.tsx'
import { SelectBox } from '../parts/selection/SelectBox.tsx'

type Deeds = {
  selection: Selection
  onSelect: (entry: Entry, isRange: boolean) => void
  /** Undefined where tags cannot be changed. */
  onTags: ((entry: Entry) => void) | undefined
}
type EntryColumn = Column<Entry>

const moment = { width: 'var(--moment)', sortable: true } as const
const at = (moment: string | null) => moment && <RowMoment at={moment} />
const count = (of: number | null) => of !== null && <Count of={of} />

const name: EntryColumn = {
  key: 'name',
  title: 'Name',
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
  { key: 'path', title: 'Path', sortable: true, room: 'small', cell: ({ path }) => <EntryPath path={path} /> },
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
  room: 'wide',
  cell: ({ extension }) => extension,
}
const owners: EntryColumn[] = [
  { key: 'owner', title: 'Owner', sortable: true, width: '5.5rem', room: 'medium', cell: ({ owner }) => owner },
  { key: 'group', title: 'Group', sortable: true, width: '5.5rem', room: 'wide', cell: ({ group }) => group },
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

/** The columns of results; on small screens the box, name, size and last modified stay. */
export const resultColumns = (list: ListKind, { selection, onSelect, onTags }: Deeds): EntryColumn[] => [
  {
    key: 'select',
    title: 'Select',
    isTitleHidden: true,
    width: '2.5rem',
    cell: (entry) => <SelectBox entry={entry} selection={selection} onSelect={onSelect} />,
  },
  name,
  ...place,
  ...(list === 'folders' ? numbers : [extension]),
  ...owners,
  ...dates,
  {
    key: 'customTag',
    title: 'Tags',
    width: '9rem',
    room: 'medium',
    cell: (entry) => <RowTags entry={entry} onTags={onTags} />,
  },
]
