import { Button } from '@mantine/core'
import { IconDatabasePlus, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { type VolumeSetting, volumeSettings, volumeTypes } from '#events/volume-settings.ts'
import { useRemote } from '../../app/remote.ts'
import { Card } from '../../ui/Card.tsx'
import type { Sort } from '../../ui/column.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { countText } from '../../ui/text/count.ts'
import { DeleteStorage } from './DeleteStorage.tsx'
import { FileStorageForm } from './FileStorageForm.tsx'
import { fileStorageColumns } from './fileStorageColumns.tsx'

import { useBusy } from '../../app/useBusy.ts'
import { startScan } from '../../parts/scan-dialog/startScan.tsx'

/** The file storages that are set up, and their scans. */
export function FileStorageSection() {
  const [sort, setSort] = useState<Sort>({ field: 'id', direction: 'asc' })
  const storages = useStorages(sort)
  const [edited, edit] = useState<VolumeSetting | 'new'>()
  const [doomed, doom] = useState<VolumeSetting>()
  const [scanning, scan] = useBusy((ids: number[]) => startScan(ids, true))
  const columns = fileStorageColumns({ scan: ({ id }) => scan([id]), edit, remove: doom, scanning })
  const add = <AddButton onClick={() => edit('new')} />
  return (
    <>
      <Card title="File Storage" note={storages.data && countText(storages.data.total)} remote={storages} folds="open">
        {({ elements }) => (
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
                <Button loading={scanning} onClick={() => scan(elements.map(({ id }) => id))}>
                  Scan All
                </Button>
              </>
            }
          />
        )}
      </Card>
      <FileStorageForm edited={edited} onClose={() => edit(undefined)} onSaved={storages.retry} />
      <DeleteStorage doomed={doomed} onClose={() => doom(undefined)} onDeleted={storages.retry} />
    </>
  )
}

/** More file storages than one page may hold are not set up by hand. */
const everyStorage = 500

function useStorages({ field, direction }: Sort) {
  const query = { page: 1, size: everyStorage, sort: field, direction, filterType: [...volumeTypes] }
  return useRemote(volumeSettings.list, { query }, 'volumeSettings')
}

function AddButton({ onClick }: { onClick: () => void }) {
  return (
    <Button leftSection={<IconPlus size={16} stroke={1.5} />} variant="default" onClick={onClick}>
      Add file storage
    </Button>
  )
}
