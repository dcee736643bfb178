import { type VolumeSetting, volumeSettings } from '#events/volume-settings.ts'
import { call } from '../../app/call.ts'
import { ConfirmDeletion } from '../../parts/deletion/ConfirmDeletion.tsx'

type DeleteStorageProps = { doomed: VolumeSetting | undefined; onClose: () => void; onDeleted: () => void }

/** Asks before a storage and its indexed data go. */
export function DeleteStorage(props: DeleteStorageProps) {
  return (
    <ConfirmDeletion
      {...props}
      title={`Delete ${props.doomed?.name ?? ''}`}
      verb="Delete storage"
      remove={({ id }) => call(volumeSettings.remove, { params: { id } })}
      gone={({ name }) => `${name} was deleted`}
    >
      This process will delete the configuration and the indexed data for the last index. It could take several minutes.
    </ConfirmDeletion>
  )
}
