import { type VolumeSetting, volumeSettings } from '#events/volume-settings.ts'
import { call } from '../app/call.ts'
import { toast } from '../app/toasts.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { useBusy } from '../app/useBusy.ts'

type DeleteStorageProps = { doomed: VolumeSetting | undefined; onClose: () => void; onDeleted: () => void }

/** Asks before a storage and its indexed data go. */
export function DeleteStorage({ doomed, onClose, onDeleted }: DeleteStorageProps) {
  const [busy, remove] = useBusy(async ({ id, name }: VolumeSetting) => {
    await call(volumeSettings.remove, { params: { id } })
    onClose()
    onDeleted()
    toast({ kind: 'success', message: `${name} was deleted` })
  })
  return (
    <Confirm
      opened={doomed !== undefined}
      title={`Delete ${doomed?.name ?? ''}`}
      verb="Delete storage"
      busy={busy}
      onCancel={onClose}
      onConfirm={() => doomed && remove(doomed)}
    >
      This process will delete the configuration and the indexed data for the last index. It could take several minutes.
    </Confirm>
  )
}
