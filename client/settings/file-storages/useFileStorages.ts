import { type NetworkVolume, networkVolumes } from '#events/network-volumes.ts'
import { type VolumeSetting, volumeSettings, volumeTypes } from '#events/volume-settings.ts'
import { useRemote } from '../../app/remote.ts'
import type { Sort } from '../../ui/column.ts'

/** More than one page may hold are not set up by hand. */
const all = { page: 1, size: 500 }

/** A file storage, and how it is mounted where it is a share. */
export type FileStorage = VolumeSetting & { share: NetworkVolume | undefined }

/** The file storages that are set up. */
export function useFileStorages({ field, direction }: Sort) {
  const query = { ...all, sort: field, direction, filterType: [...volumeTypes] }
  const storages = useRemote(volumeSettings.list, { query }, 'volumeSettings')
  const shares = useRemote(networkVolumes.list, { query: all }, 'volumeSettings')
  const shareOf = ({ id }: VolumeSetting) => shares.data?.elements.find(({ volumeId }) => volumeId === id)
  return {
    error: storages.error ?? shares.error,
    loading: storages.loading || shares.loading,
    retry: () => {
      storages.retry()
      shares.retry()
    },
    data:
      shares.data && storages.data?.elements.map((storage): FileStorage => ({ ...storage, share: shareOf(storage) })),
  }
}
