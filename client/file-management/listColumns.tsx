import type { PartOfFolder } from '#events/folders/browse.ts'
import type { EntrySummary } from '#events/entries.ts'
import { notEnteredChip } from '#client/parts/storages/notIncluded.ts'
import { entryColumn } from '#client/parts/entry-text/entryColumn.tsx'
import { EntryName } from '#client/parts/entry-text/EntryName.tsx'
import { SelectBox } from '#client/parts/selection/SelectBox.tsx'
import type { Selection } from '#client/parts/selection/selection.ts'
import { TagList } from '#client/parts/tags/TagList.tsx'
import type { Column } from '#client/ui/table/column.ts'
import { Chip } from '#client/ui/values/Chip.tsx'

type Pick = (entry: EntrySummary, isRange: boolean) => void

const name = entryColumn('name', {
  cell: ({ name, notEntered }) => (
    <>
      <EntryName name={name} />
      {notEntered && <Chip tone="warn">{notEnteredChip(notEntered)}</Chip>}
    </>
  ),
})
const size = entryColumn('size', { width: '6rem' })
const inside = [
  entryColumn('numberOfFiles', { width: '6rem', room: 'medium' }),
  entryColumn('numberOfFolders', { width: '6rem', room: 'medium' }),
]
const extension = entryColumn('extension', { width: '6rem', room: 'medium', cell: ({ extension }) => extension })
const rest = [
  entryColumn('owner', { width: '7rem', room: 'medium', cell: ({ owner }) => owner }),
  entryColumn('group', { width: '7rem', room: 'wide', cell: ({ group }) => group }),
  entryColumn('creationDate', { room: 'wide' }),
  entryColumn('lastAccess', { room: 'medium' }),
  entryColumn('lastModified'),
  entryColumn('customTag', {
    sortable: false,
    width: '9rem',
    room: 'medium',
    cell: ({ customTag }) => customTag.length > 0 && <TagList tags={customTag} />,
  }),
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
