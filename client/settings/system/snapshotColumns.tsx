import { IconAlertTriangle } from '@tabler/icons-react'
import type { SnapshotSummary } from '#events/snapshots.ts'
import { Chip } from '#client/ui/values/Chip.tsx'
import type { Column } from '#client/ui/table/column.ts'
import { RemoveAction } from '#client/ui/table/RowActions.tsx'
import { Size } from '#client/ui/values/Size.tsx'
import { countText } from '../../ui/text/count.ts'

export const snapshotColumns = (remove: (snapshot: SnapshotSummary) => void): Column<SnapshotSummary>[] => [
  {
    key: 'indexingDate',
    title: 'Date',
    sortable: true,
    grows: true,
    cell: ({ indexingDate, isPartial }) => (
      <span className="inline gap-8">
        {indexingDate}
        {isPartial && (
          <Chip icon={IconAlertTriangle} tone="warn" title="Some paths of a storage could not be read">
            Partial
          </Chip>
        )}
      </span>
    ),
  },
  counted('volumes', 'Storages'),
  counted('numberOfFiles', 'Files'),
  counted('numberOfFolders', 'Folders'),
  {
    key: 'sizeOfFiles',
    title: 'Size',
    align: 'right',
    sortable: true,
    cell: ({ sizeOfFiles }) => <Size bytes={sizeOfFiles} />,
  },
  {
    key: 'action',
    title: 'Action',
    align: 'right',
    cell: (snapshot) => (
      <RemoveAction label={`Delete snapshot ${snapshot.indexingDate}`} onClick={() => remove(snapshot)} />
    ),
  },
]

const counted = (key: 'volumes' | 'numberOfFiles' | 'numberOfFolders', title: string): Column<SnapshotSummary> => ({
  key,
  title,
  align: 'right',
  sortable: true,
  wideOnly: true,
  cell: (snapshot) => countText(snapshot[key]),
})
