import { type DetailedVolume, detailedVolume } from '#events/storages.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { useRemote } from '#client/app/remote.ts'
import type { Loadable } from '#client/ui/feedback/loadable.ts'

/** A storage in its newest snapshot up to the active date; null if it has none. */
export function useDetailedVolume(id: number): Loadable<DetailedVolume | null> {
  const { indexingDate } = useActiveDate()
  const query = { size: 1, indexingDate }
  const found = useRemote(detailedVolume, { params: { id }, query }, 'snapshots', 'volumes')
  return { ...found, data: found.data && (found.data.elements[0] ?? null) }
}
