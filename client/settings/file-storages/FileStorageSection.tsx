import { Button } from '@mantine/core'
import { IconDatabasePlus, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { ScanDialog } from '../../parts/scan-dialog/ScanDialog.tsx'
import { Card } from '../../ui/Card.tsx'
import type { Sort } from '../../ui/column.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { countText } from '../../ui/text/count.ts'
import { CredentialsTable } from './CredentialsTable.tsx'
import { DeleteFileStorage } from './DeleteFileStorage.tsx'
import { EditFileStorage } from './EditFileStorage.tsx'
import { fileStorageColumns } from './fileStorageColumns.tsx'
import { type FileStorage, useFileStorages } from './useFileStorages.ts'
import classes from './FileStorages.module.css'

/** The file storages that are set up, their scans, and who signs in to those that are shares. */
export function FileStorageSection({ onAdd }: { onAdd: () => void }) {
  const [sort, setSort] = useState<Sort>({ field: 'id', direction: 'asc' })
  const storages = useFileStorages(sort)
  const [edited, edit] = useState<FileStorage>()
  const [doomed, doom] = useState<FileStorage>()
  const [scanned, scan] = useState<number[] | 'all'>()
  const columns = fileStorageColumns({ scan: ({ id }) => scan([id]), edit, remove: doom })
  const add = (
    <Button leftSection={<IconPlus size={16} stroke={1.5} />} variant="default" onClick={onAdd}>
      Add file storage
    </Button>
  )
  return (
    <>
      <Card title="File Storage" note={storages.data && countText(storages.data.length)} remote={storages} folds="open">
        {(elements) => (
          <>
            <h3 className={classes.part}>On-Premises</h3>
            <div className={classes.storages}>
              <DataTable
                label="On-Premises"
                columns={columns}
                rows={elements}
                rowKey={({ id }) => id}
                sort={sort}
                onSort={setSort}
                empty={
                  <Notice icon={IconDatabasePlus} step={add}>
                    No file storage is set up yet. Add the first one, then scan it.
                  </Notice>
                }
                footer={
                  <>
                    {add}
                    <Button onClick={() => scan('all')}>Scan All</Button>
                  </>
                }
              />
            </div>
            <h3 className={classes.part}>Credentials</h3>
            <CredentialsTable />
          </>
        )}
      </Card>
      <EditFileStorage edited={edited} onClose={() => edit(undefined)} onSaved={storages.retry} />
      <DeleteFileStorage doomed={doomed} onClose={() => doom(undefined)} onDeleted={storages.retry} />
      <ScanDialog opened={scanned !== undefined} selected={scanned ?? []} onClose={() => scan(undefined)} />
    </>
  )
}
