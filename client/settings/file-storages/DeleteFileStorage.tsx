import { networkVolumes } from '#events/network-volumes.ts'
import { volumeSettings } from '#events/volume-settings.ts'
import { call } from '../../app/call.ts'
import { ConfirmDeletion } from '../../parts/deletion/ConfirmDeletion.tsx'
import type { FileStorage } from './useFileStorages.ts'

type DeleteFileStorageProps = { doomed: FileStorage | undefined; onClose: () => void; onDeleted: () => void }

/** Asks before a storage goes, and with it what the newest date shows of it. */
export function DeleteFileStorage(props: DeleteFileStorageProps) {
  return (
    <ConfirmDeletion
      {...props}
      title={`Delete ${props.doomed?.name ?? ''}`}
      verb="Delete storage"
      remove={remove}
      gone={({ name }) => `${name} was deleted`}
    >
      <p>
        This process will delete the configuration and the indexed data for the last index. It could take several
        minutes.
      </p>
      <p>Older dates keep what they show of it until they are deleted themselves.</p>
    </ConfirmDeletion>
  )
}

const remove = ({ id, share }: FileStorage): Promise<void> =>
  share ? call(networkVolumes.remove, { params: { id: share.id } }) : call(volumeSettings.remove, { params: { id } })
