import { type Storage, storages } from '#events/storages.ts'
import { useRemote } from '#client/app/remote.ts'
import type { Loadable } from '#client/ui/feedback/loadable.ts'

/** Storages whose changes are followed between scans, or should be. */
export function useFollowedStorages(): Loadable<Storage[]> {
  const remote = useRemote(storages, { query: {} }, 'sources', 'volumes', 'snapshots', 'live')
  return { ...remote, data: remote.data?.elements.filter(({ live }) => live.state !== 'OFF') }
}
