import { IconDatabasePlus } from '@tabler/icons-react'
import { useState } from 'react'
import { fileStorages } from '#events/sources/fileStorages.ts'
import { networkShares } from '#events/sources/networkShares.ts'
import { call } from '#client/app/call.ts'
import type { SettingsTable as Declaration } from '#client/parts/settings-table/declaration.ts'
import { SettingsSection, SettingsTable, TableTitle } from '#client/parts/settings-table/SettingsTable.tsx'
import { ScanDialog } from '#client/parts/scan-dialog/ScanDialog.tsx'
import { type Scanned, sourceTable } from '../sourceTable.tsx'
import { EditFileStorage } from './EditFileStorage.tsx'
import { fileStorageColumns } from './fileStorageColumns.tsx'
import { networkCredentialsTable } from './networkCredentials.ts'
import { type FileStorageRow, fileStorageRows, useShares } from './fileStorageRows.ts'

/** The file storages that are set up, their scans, and the credentials for shares. */
export function FileStorageSection({ onAdd }: { onAdd: () => void }) {
  const shares = useShares()
  const [scanned, scan] = useState<Scanned>()
  return (
    <>
      <SettingsSection
        title="File Storage"
        folds="open"
        table={fileStorageTable(shares, { add: onAdd, scan })}
        intro={<TableTitle>On-Premises</TableTitle>}
      >
        <TableTitle>Credentials</TableTitle>
        <SettingsTable table={networkCredentialsTable} />
      </SettingsSection>
      <ScanDialog opened={scanned !== undefined} selected={scanned ?? []} onClose={() => scan(undefined)} />
    </>
  )
}

type Actions = { add: () => void; scan: (scanned: Scanned) => void }

const fileStorageTable = (
  shares: ReturnType<typeof useShares>,
  { add, scan }: Actions,
): Declaration<FileStorageRow> => ({
  ...sourceTable<FileStorageRow>({ nameOf: ({ name }) => name, one: 'storage', scan }),
  label: 'On-Premises',
  rows: fileStorageRows(shares),
  joined: shares,
  sort: { field: 'id', direction: 'asc' },
  calls: { remove },
  columns: fileStorageColumns,
  empty: { icon: IconDatabasePlus, text: 'No file storage is set up yet. Add the first one, then scan it.' },
  adding: { label: 'Add file storage', open: add },
  editing: { label: ({ name }) => `Edit ${name}`, Dialog: EditFileStorage },
})

/** A share is deleted by its own call. */
const remove = ({ id, share }: FileStorageRow): Promise<void> =>
  share ? call(networkShares.remove, { params: { id: share.id } }) : call(fileStorages.remove, { params: { id } })
