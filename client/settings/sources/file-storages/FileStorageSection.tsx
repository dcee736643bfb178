import { IconDatabasePlus } from '@tabler/icons-react'
import { fileStorages } from '#events/sources/fileStorages.ts'
import { networkShares } from '#events/sources/networkShares.ts'
import { call } from '#client/app/call.ts'
import { paceOfLookups } from '../pace/paceForm.ts'
import { type EditorProps, SourceEditor } from '../SourceEditor.tsx'
import { SourceSection } from '../SourceSection.tsx'
import { none, type Scanned, sourceTable } from '../sourceTable.tsx'
import { fileStorageColumns } from './fileStorageColumns.tsx'
import { networkCredentialsTable } from './networkCredentials.ts'
import { fileStorageForm, folderConnection } from './fileStorageForm.tsx'
import {
  type FileStorageRow,
  fileStorageRows,
  type StorageDraft,
  updateFileStorage,
  useShares,
} from './fileStorageRows.ts'

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

/** Edits or deletes a file storage. */
export function FileStorageEditor(props: EditorProps) {
  const shares = useShares()
  return <SourceEditor table={fileStorageTable(shares)} {...props} />
}

const fileStorageTable = (shares: ReturnType<typeof useShares>, add = none, scan: (scanned: Scanned) => void = none) =>
  sourceTable<FileStorageRow, StorageDraft>({
    nameOf: ({ name }) => name,
    one: 'storage',
    scan,
    label: 'On-Premises',
    rows: fileStorageRows(shares),
    joined: shares,
    calls: { update: updateFileStorage, remove },
    columns: fileStorageColumns,
    empty: { icon: IconDatabasePlus, text: 'No file storage is set up yet. Add the first one, then scan it.' },
    adding: { label: 'Add file storage', open: add },
    form: fileStorageForm,
    connection: folderConnection,
    opens: {
      at: 'dialog',
      size: 'L',
      title: (edited) => `Edit ${edited === 'new' ? '' : edited.name}`,
      saves: () => 'Save storage',
      right: [
        'ignored',
        'foldersOnly',
        'includesMounted',
        'followsChanges',
        'readMedia',
        'mediaFilesPerSecond',
        'scanType',
        'sizeBasis',
        'policies',
        ...paceOfLookups.names,
      ],
    },
  })

/** A share is deleted by its own call. */
const remove = ({ id, share }: FileStorageRow): Promise<void> =>
  share ? call(networkShares.remove, { params: { id: share.id } }) : call(fileStorages.remove, { params: { id } })
