import { IconCalendarOff } from '@tabler/icons-react'
import { useState } from 'react'
import { type SnapshotSummary, snapshotDeletion, snapshotList } from '#events/snapshots.ts'
import { call } from '../../app/call.ts'
import { useRemote } from '../../app/remote.ts'
import { useFailureToast } from '#client/app/toasts/useFailureToast.ts'
import { ConfirmDeletion } from '../../parts/deletion/ConfirmDeletion.tsx'
import { Pagination } from '../../parts/pagination/Pagination.tsx'
import { Card } from '../../ui/Card.tsx'
import type { Sort } from '#client/ui/table/column.ts'
import { DataTable } from '#client/ui/table/DataTable.tsx'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { countText } from '../../ui/text/count.ts'
import { snapshotColumns } from './snapshotColumns.tsx'

/** List of snapshots with their contents; deletes them. */
export function SnapshotsSection() {
  const [sort, setSort] = useState<Sort>({ field: 'indexingDate', direction: 'desc' })
  const [{ page, size }, turn] = useState({ page: 1, size: 10 })
  const query = { page, size, sort: sort.field, direction: sort.direction }
  const list = useRemote(snapshotList, { query }, 'snapshots')
  useFailureToast(list.error)
  const [deleting, setDeleting] = useState<SnapshotSummary>()
  return (
    <>
      <Card title="Snapshots" note={list.data && countText(list.data.total)} remote={list} folds="open">
        {({ elements, total }) => (
          <DataTable
            label="Snapshots"
            columns={snapshotColumns(setDeleting)}
            rows={elements}
            rowKey={({ indexingDate }) => indexingDate}
            sort={sort}
            onSort={(sort) => {
              setSort(sort)
              turn({ page: 1, size })
            }}
            empty={<Notice icon={IconCalendarOff}>No snapshots yet. The first scan creates one.</Notice>}
            footer={
              <Pagination
                nouns={['snapshot', 'snapshots']}
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
        deleting={deleting}
        onClose={() => setDeleting(undefined)}
        onDeleted={() => {
          if (list.data?.elements.length === 1) turn({ page: Math.max(1, page - 1), size })
          else list.retry()
        }}
      />
    </>
  )
}

type DeleteSnapshotProps = { deleting: SnapshotSummary | undefined; onClose: () => void; onDeleted: () => void }

/** Confirms deleting a snapshot. */
function DeleteSnapshot(props: DeleteSnapshotProps) {
  const { deleting, onClose } = props
  const date = deleting?.indexingDate ?? ''
  return (
    <ConfirmDeletion
      {...props}
      title={`Delete snapshot ${date}`}
      verb="Delete snapshot"
      remove={({ indexingDate }) => call(snapshotDeletion, { params: { date: indexingDate } }).finally(onClose)}
      deletedText={() => 'Snapshot deleted successfully, you will need to refresh the page to see the changes'}
    >
      Are you sure you want to delete the snapshot of {date}? Data found only in this snapshot is permanently deleted.
    </ConfirmDeletion>
  )
}
