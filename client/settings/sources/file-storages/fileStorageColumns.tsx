import { rootPath } from '#events/sources/fullPath.ts'
import type { Column } from '#client/ui/table/column.ts'
import { PathText } from '#client/ui/values/PathText.tsx'
import { idColumn, ignoredColumn, nameColumn, namedPriceBookColumn } from '../sourceColumns.tsx'
import { RulesCell } from '../RulesCell.tsx'
import { scanTypeLabels } from './scanTypes.ts'
import type { FileStorageRow } from './fileStorageRows.ts'
import shared from '../Sources.module.css'

export const fileStorageColumns: Column<FileStorageRow>[] = [
  idColumn,
  nameColumn('name', ({ id }) => id),
  { key: 'path', title: 'Path', sortable: true, wideOnly: true, cell: (storage) => <Place storage={storage} /> },
  {
    key: 'scanType',
    title: 'Scan Type',
    sortable: true,
    wideOnly: true,
    room: 'wide',
    cell: ({ scanType }) => scanTypeLabels[scanType],
  },
  { key: 'mountType', title: 'Mount Type', wideOnly: true, room: 'wide', cell: ({ mountType }) => mountType },
  { key: 'server.name', title: 'Agent', sortable: true, wideOnly: true, cell: ({ server }) => server.name },
  namedPriceBookColumn,
  ignoredColumn,
  {
    key: 'foldersOnly',
    title: 'Index Folder Only Paths',
    wideOnly: true,
    room: 'wide',
    cell: ({ volumeIndexFolderOnlyPaths }) => <RulesCell rules={volumeIndexFolderOnlyPaths} />,
  },
]

/** The path of a storage; for a share, starting with the host. */
const Place = ({ storage: { path, share } }: { storage: FileStorageRow }) => (
  <span className={shared.path}>
    <PathText path={rootPath(share?.path ?? path, share)} />
  </span>
)
