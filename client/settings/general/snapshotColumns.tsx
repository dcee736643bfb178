import { IconAlertTriangle } from '@tabler/icons-react'
import type { SnapshotSummary } from '#events/snapshots.ts'
import { Chip } from '../../ui/Chip.tsx'
import type { Column } from '../../ui/column.ts'
import { RemoveAction } from '../../ui/RowActions.tsx'
import { Size } from '../../ui/Size.tsx'
import { countText } from '../../ui/text/count.ts'
import classes from './Application.module.css'

export const snapshotColumns = (remove: (snapshot: SnapshotSummary) => void): Column<SnapshotSummary>[] => [
  {
    key: 'indexingDate',
    title: 'Date',
    sortable: true,
    grows: true,
    cell: ({ indexingDate, isPartial }) => (
      <span className={classes.date}>
        {indexingDate}
        {isPartial && (
          <Chip icon={IconAlertTriangle} tone="warn" title="A storage of it was not read whole">
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
