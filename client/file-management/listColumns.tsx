import type { PartOfFolder } from '#events/folders/browse.ts'
import type { EntrySummary } from '#events/entries.ts'
import { notEnteredChip } from '#client/parts/storages/notIncluded.ts'
import { EntryName } from '#client/parts/entry-text/EntryName.tsx'
import { SelectBox } from '#client/parts/selection/SelectBox.tsx'
import type { Selection } from '#client/parts/selection/selection.ts'
import { TagList } from '#client/parts/tags/TagList.tsx'
import type { Column } from '#client/ui/table/column.ts'
import { Chip } from '#client/ui/values/Chip.tsx'
import { Count } from '#client/ui/values/Count.tsx'
import { Moment } from '#client/ui/values/Moment.tsx'
import { Size } from '#client/ui/values/Size.tsx'

type Pick = (entry: EntrySummary, isRange: boolean) => void

const moment = { width: 'var(--moment)', sortable: true } as const
const right = { align: 'right', sortable: true } as const
const at = (moment: string | null) => <Moment at={moment} />
const count = (of: number | null) => of !== null && <Count of={of} />

const name: Column<EntrySummary> = {
  key: 'name',
  title: 'Name',
  sortable: true,
  cell: ({ name, notEntered }) => (
    <>
      <EntryName name={name} />
      {notEntered && <Chip tone="warn">{notEnteredChip(notEntered)}</Chip>}
    </>
  ),
}
const size: Column<EntrySummary> = {
  key: 'size',
  title: 'Size',
  width: '6rem',
  ...right,
  cell: ({ size }) => <Size bytes={size} />,
}
const inside: Column<EntrySummary>[] = [
  {
    key: 'numberOfFiles',
    title: 'Files',
    width: '6rem',
    room: 'medium',
    ...right,
    cell: ({ numberOfFiles }) => count(numberOfFiles),
  },
  {
    key: 'numberOfFolders',
    title: 'Folders',
    width: '6rem',
    room: 'medium',
    ...right,
    cell: ({ numberOfFolders }) => count(numberOfFolders),
  },
]
const extension: Column<EntrySummary> = {
  key: 'extension',
  title: 'Extension',
  sortable: true,
  width: '6rem',
  room: 'medium',
  cell: ({ extension }) => extension,
}
const rest: Column<EntrySummary>[] = [
  { key: 'owner', title: 'Owner', sortable: true, width: '7rem', room: 'medium', cell: ({ owner }) => owner },
  { key: 'group', title: 'Group', sortable: true, width: '7rem', room: 'wide', cell: ({ group }) => group },
  {
    key: 'creationDate',
    title: 'Creation Date',
    room: 'wide',
    ...moment,
    cell: ({ creationDate }) => at(creationDate),
  },
  { key: 'lastAccess', title: 'Last Access', room: 'medium', ...moment, cell: ({ lastAccess }) => at(lastAccess) },
  { key: 'lastModified', title: 'Last Modified', ...moment, cell: ({ lastModified }) => at(lastModified) },
  {
    key: 'customTag',
    title: 'Tags',
    width: '9rem',
    room: 'medium',
    cell: ({ customTag }) => customTag.length > 0 && <TagList tags={customTag} />,
  },
]

export const listColumns = (list: PartOfFolder, selection: Selection, onPick: Pick): Column<EntrySummary>[] => [
  {
    key: 'select',
    title: 'Select',
    isTitleHidden: true,
    width: '2.5rem',
    cell: (entry) => <SelectBox entry={entry} selection={selection} onSelect={onPick} />,
  },
  name,
  size,
  ...(list === 'folders' ? inside : [extension]),
  ...rest,
]
