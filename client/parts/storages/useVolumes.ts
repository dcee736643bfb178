import { volumes } from '#events/snapshots.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { call } from '#client/app/call.ts'
import { useRemote } from '#client/app/remote.ts'

/** All volumes of the snapshot that is looked at. */
export function useVolumes() {
  const { indexingDate } = useActiveDate()
  const query = { size: 1_000, sort: 'name', direction: 'asc' as const, indexingDate }
  return useRemote(volumes, { query }, 'snapshots', 'volumes')
}

/** The storages of a snapshot. */
export const useVolumesAt = (indexingDate: string | undefined) =>
  useRemote(volumes, volumesAt(indexingDate), 'snapshots', 'volumes')

/** The same, read once: what a document says is not that of a screen that is still being read. */
export const readVolumesAt = async (indexingDate: string | undefined) =>
  (await call(volumes, volumesAt(indexingDate))).elements

const volumesAt = (indexingDate: string | undefined) => ({ query: { size: 1_000, indexingDate } })
