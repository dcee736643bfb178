import { volumes } from '#events/snapshots.ts'
import { useActiveDate } from '../../app/activeDate.ts'
import { useRemote } from '../../app/remote.ts'

/** All volumes of the snapshot that is looked at. */
export function useVolumes() {
  const { indexingDate } = useActiveDate()
  const query = { size: 1_000, sort: 'name', direction: 'asc' as const, indexingDate }
  return useRemote(volumes, { query }, 'snapshots', 'volumes')
}
