import { type Storage, storages } from '#events/storages.ts'
import { isFileStorage } from '../parts/storages/storageKind.ts'
import { useRemote } from '../app/remote.ts'
import type { Loadable } from '../ui/loadable.ts'

/** The storages that an alert may watch, by name: those that can run full, as far as it can tell. */
export function useAlertVolumes(): Loadable<Storage[]> {
  const query = { size: 1_000, sort: 'NAME' as const, direction: 'asc' as const }
  const { data, ...rest } = useRemote(storages, { query }, 'volumeSettings')
  return { ...rest, data: data?.elements.filter(({ type }) => isFileStorage(type)) }
}
