import { actionOfType } from '#events/actions/actions.ts'
import { jobs } from '#events/jobs/calls.ts'
import { useRemote } from '#client/app/remote.ts'
import { useFailureToast } from '#client/app/toasts/useFailureToast.ts'
import { RelaunchAction } from '#client/parts/actions/wizard/RelaunchAction.tsx'
import { ScanDialog } from '#client/parts/scan-dialog/ScanDialog.tsx'
import { type ScanKind, useSources } from '#client/parts/scan-dialog/useSources.ts'
import { Failure } from '#client/ui/feedback/Failure.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { Dialog } from '#client/ui/form/Dialog.tsx'
import { foldersToRelaunch, storagesToRelaunch } from './relaunch.ts'

/** Scans the failed and unstarted storages of a job again, or continues an action with the files that it is not done with. */
export function RelaunchJob({ id, onClose }: { id: number | undefined; onClose: () => void }) {
  if (id === undefined) return null
  return <Relaunch id={id} onClose={onClose} />
}

function Relaunch({ id, onClose }: { id: number; onClose: () => void }) {
  const { data, error, loading, retry } = useRemote(jobs.one, { params: { id } })
  useFailureToast(error)
  const title = `Relaunch job ${id}`
  const isAction = data !== undefined && actionOfType(data.type) !== undefined
  const selected = data && !isAction ? storagesToRelaunch(data.tasks) : undefined
  const kind = useKindOf(selected)
  if (isAction) return <RelaunchAction job={{ id, type: data.type }} onClose={onClose} />
  if (data && !loading && selected && kind)
    return (
      <ScanDialog
        opened
        title={title}
        kind={kind}
        selected={selected}
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

/** Kind of sources to choose from: file storages, or any if others have to be scanned too. Undefined until it is known. */
function useKindOf(selected: readonly number[] | undefined): ScanKind | undefined {
  const { data, error } = useSources(selected && 'fileStorage')
  if (!selected || !(data || error)) return undefined
  return selected.every((id) => data?.some(({ volumeId }) => volumeId === id) ?? true) ? 'fileStorage' : 'any'
}
