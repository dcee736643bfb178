import { type Storage, storages } from '#events/storages.ts'
import { useRemote } from '../app/remote.ts'
import type { Loadable } from '../ui/loadable.ts'

/** The kinds of storage that can run full, as far as an alert can tell. */
const alertTypes = ['crawl.files', 'NetworkVolume', 'DellPowerScale']

/** The storages that an alert may watch, by name. */
export function useAlertVolumes(): Loadable<Storage[]> {
  const query = { size: 1_000, sort: 'NAME' as const, direction: 'asc' as const }
  const { data, ...rest } = useRemote(storages, { query }, 'volumeSettings')
  return { ...rest, data: data?.elements.filter(({ type }) => alertTypes.includes(type)) }
}
