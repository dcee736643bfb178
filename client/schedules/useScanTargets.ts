import { agents } from '#events/agents.ts'
import { storages } from '#events/storages.ts'
import { buckets } from '#events/sources/buckets.ts'
import { fileStorages, fileStorageTypes } from '#events/sources/fileStorages.ts'
import { useRemote } from '#client/app/remote.ts'

/** What can be scanned, by name; undefined until it is loaded. */
export type ScanTargets = Record<
  'agents' | 'volumes' | 'buckets' | 'storages',
  { id: number; name: string }[] | undefined
> & {
  error: Error | undefined
  retry: () => void
}

/** As many as a list to choose from may hold. */
const size = 500

export function useScanTargets(): ScanTargets {
  const byName = { page: 1, size, sort: 'name', direction: 'asc' as const }
  const agentList = useRemote(agents.list, { query: byName }, 'agents')
  const volumeList = useRemote(
    fileStorages.list,
    { query: { ...byName, filterType: [...fileStorageTypes] } },
    'sources',
  )
  const bucketList = useRemote(buckets.list, { query: { ...byName, sort: 'description' } }, 'sources')
  const storageList = useRemote(storages, { query: { size, sort: 'NAME', direction: 'asc' } }, 'sources')
  const lists = [agentList, volumeList, bucketList, storageList]
  const failed = lists.find(({ error, data, loading }) => error && !data && !loading)
  return {
    agents: agentList.data?.elements,
    volumes: volumeList.data?.elements,
    buckets: bucketList.data?.elements.map(({ id, description }) => ({ id, name: description })),
    storages: storageList.data?.elements,
    error: failed?.error,
    retry: () => lists.forEach(({ error, retry }) => error && retry()),
  }
}

/** What lists offer, with what was chosen and is no longer there. */
export function offered(known: { id: number; name: string }[] | undefined, chosen: readonly string[]) {
  const options = (known ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  const isKnown = new Set(options.map(({ value }) => value))
  const gone = chosen.filter((id) => id !== '' && !isKnown.has(id))
  return [...options, ...gone.map((value) => ({ value, label: known ? `Invalid (${value})` : value }))]
}
