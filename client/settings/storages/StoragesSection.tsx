import { Button } from '@mantine/core'
import { IconDatabasePlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { withSameDisk } from '#events/capacity.ts'
import { sourceOfType } from '#events/sources/kinds.ts'
import type { Storage } from '#events/storages.ts'
import { useActiveDate } from '../../app/activeDate.ts'
import { ScanDialog } from '../../parts/scan-dialog/ScanDialog.tsx'
import { Card } from '../../ui/Card.tsx'
import { DataTable } from '#client/ui/table/DataTable.tsx'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { storageColumns } from './storageColumns.tsx'
import { orderStorages, storagesOrder } from './storagesOrder.state.ts'
import { useStoragePages } from './useStoragePages.ts'

/** All storages with their usage; scans one or all. */
export function StoragesSection() {
  const sort = useSnapshot(storagesOrder)
  const { isNewest, active } = useActiveDate()
  const { list, more, isReading } = useStoragePages(sort)
  const [scanned, scan] = useState<Storage | 'all'>()
  const isPast = active !== undefined && !isNewest
  return (
    <>
      <Card title="Storages" note={isPast && `As of ${active.indexingDate}, read-only`} remote={list} folds="open">
        {(elements) => (
          <DataTable
            label="Storages"
            columns={storageColumns(isPast ? undefined : scan)}
            rows={withSameDisk(elements.map((one) => ({ ...one, fileSystem: one.stats.fileSystem })))}
            rowKey={({ id }) => id}
            sort={sort}
            onSort={orderStorages}
            empty={<Notice icon={IconDatabasePlus}>No storages yet.</Notice>}
            footer={
              elements.length > 0 && (
                <>
                  {!isPast && <Button onClick={() => scan('all')}>Scan All</Button>}
                  {more && (
                    <Button variant="default" loading={isReading} onClick={more}>
                      SHOW MORE
                    </Button>
                  )}
                </>
              )
            }
          />
        )}
      </Card>
      <ScanDialog
        opened={scanned !== undefined}
        kind={kindOf(scanned)}
        selected={scanned === 'all' ? 'all' : scanned ? [scanned.id] : []}
        onClose={() => scan(undefined)}
      />
    </>
  )
}

/** All storages are scanned by one job; one by the job of its kind. */
const kindOf = (scanned: Storage | 'all' | undefined) =>
  (scanned && scanned !== 'all' && sourceOfType(scanned.type)?.kind) || 'any'
