import { type SnapshotSummary, snapshotDeletion } from '#events/snapshots.ts'
import { call } from '../../app/call.ts'
import { ConfirmDeletion } from '../../parts/deletion/ConfirmDeletion.tsx'

type DeleteSnapshotProps = { doomed: SnapshotSummary | undefined; onClose: () => void; onDeleted: () => void }

/** Asks before a snapshot goes. */
export function DeleteSnapshot(props: DeleteSnapshotProps) {
  const { doomed, onClose } = props
  const date = doomed?.indexingDate ?? ''
  return (
    <ConfirmDeletion
      {...props}
      title={`Delete snapshot ${date}`}
      verb="Delete snapshot"
      remove={({ indexingDate }) => call(snapshotDeletion, { params: { date: indexingDate } }).finally(onClose)}
      gone={() => 'Snapshot deleted successfully, you will need to refresh the page to see the changes'}
    >
      Are you sure you want to delete the snapshot of {date}? What no other snapshot shows is removed for good.
    </ConfirmDeletion>
  )
}
