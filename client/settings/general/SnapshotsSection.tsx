import { IconCalendarOff } from '@tabler/icons-react'
import { useState } from 'react'
import { type SnapshotSummary, snapshotList } from '#events/snapshots.ts'
import { useRemote } from '../../app/remote.ts'
import { Pagination } from '../../parts/pagination/Pagination.tsx'
import { Card } from '../../ui/Card.tsx'
import type { Sort } from '../../ui/column.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { countText } from '../../ui/text/count.ts'
import { DeleteSnapshot } from './DeleteSnapshot.tsx'
import { snapshotColumns } from './snapshotColumns.tsx'

/** The days that have a snapshot, what each holds, and deleting one. */
export function SnapshotsSection() {
  const [sort, setSort] = useState<Sort>({ field: 'indexingDate', direction: 'desc' })
  const [{ page, size }, turn] = useState({ page: 1, size: 10 })
  const query = { page, size, sort: sort.field, direction: sort.direction }
  const list = useRemote(snapshotList, { query }, 'snapshots')
  const [doomed, doom] = useState<SnapshotSummary>()
  return (
    <>
      <Card title="Snapshots" note={list.data && countText(list.data.total)} remote={list} folds="open">
        {({ elements, total }) => (
          <DataTable
            label="Snapshots"
            columns={snapshotColumns(doom)}
            rows={elements}
            rowKey={({ indexingDate }) => indexingDate}
            sort={sort}
            onSort={(sort) => {
              setSort(sort)
              turn({ page: 1, size })
            }}
            empty={<Notice icon={IconCalendarOff}>There is no snapshot yet: the first scan makes one.</Notice>}
            footer={
              <Pagination
                words={['snapshot', 'snapshots']}
                page={page}
                size={size}
                total={total}
                onPage={(page) => turn({ page, size })}
                onSize={(size) => turn({ page: 1, size })}
              />
            }
          />
        )}
      </Card>
      <DeleteSnapshot
        doomed={doomed}
        onClose={() => doom(undefined)}
        onDeleted={() => {
          if (list.data?.elements.length === 1) turn({ page: Math.max(1, page - 1), size })
          else list.retry()
        }}
      />
    </>
  )
}
