import { IconDatabasePlus } from '@tabler/icons-react'
import { fileStorages } from '#events/sources/fileStorages.ts'
import { networkShares } from '#events/sources/networkShares.ts'
import { call } from '#client/app/call.ts'
import { SourceSection } from '../SourceSection.tsx'
import { type Scanned, sourceTable } from '../sourceTable.tsx'
import { EditFileStorage } from './EditFileStorage.tsx'
import { fileStorageColumns } from './fileStorageColumns.tsx'
import { networkCredentialsTable } from './networkCredentials.ts'
import { type FileStorageRow, fileStorageRows, useShares } from './fileStorageRows.ts'

/** The file storages that are set up, their scans, and the credentials for shares. */
export function FileStorageSection({ onAdd }: { onAdd: () => void }) {
  const shares = useShares()
  return (
    <SourceSection
      kind="fileStorage"
      title="File Storage"
      folds="open"
      heading="On-Premises"
      table={(scan) => fileStorageTable(shares, onAdd, scan)}
      credentials={networkCredentialsTable}
    />
  )
}

const fileStorageTable = (shares: ReturnType<typeof useShares>, add: () => void, scan: (scanned: Scanned) => void) =>
  sourceTable<FileStorageRow>({
    nameOf: ({ name }) => name,
    one: 'storage',
    scan,
    label: 'On-Premises',
    rows: fileStorageRows(shares),
    joined: shares,
    calls: { remove },
    columns: fileStorageColumns,
    empty: { icon: IconDatabasePlus, text: 'No file storage is set up yet. Add the first one, then scan it.' },
    adding: { label: 'Add file storage', open: add },
    EditDialog: EditFileStorage,
  })

/** A share is deleted by its own call. */
const remove = ({ id, share }: FileStorageRow): Promise<void> =>
  share ? call(networkShares.remove, { params: { id: share.id } }) : call(fileStorages.remove, { params: { id } })
