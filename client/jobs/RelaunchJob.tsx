import { jobs } from '#events/job-calls.ts'
import { useRemote } from '../app/remote.ts'
import { ScanDialog } from '../parts/scan-dialog/ScanDialog.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Failure } from '../ui/Failure.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { foldersToRelaunch, storagesToRelaunch } from './relaunch.ts'

/** Scans once more what failed in a job or was not started. */
export function RelaunchJob({ id, onClose }: { id: number | undefined; onClose: () => void }) {
  if (id === undefined) return null
  return <Relaunch id={id} onClose={onClose} />
}

function Relaunch({ id, onClose }: { id: number; onClose: () => void }) {
  const { data, error, loading, retry } = useRemote(jobs.one, { params: { id } })
  const title = `Relaunch job ${id}`
  if (data && !loading)
    return (
      <ScanDialog
        opened
        title={title}
        selected={storagesToRelaunch(data.tasks)}
        folders={foldersToRelaunch(data)}
        onClose={onClose}
      />
    )
  return (
    <Dialog opened title={title} size="M" onClose={onClose}>
      {error && !loading ? <Failure error={error} retry={retry} /> : <Skeleton rows={5} />}
    </Dialog>
  )
}
