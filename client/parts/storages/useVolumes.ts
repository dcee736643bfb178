import { volumes } from '#events/snapshots.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { call } from '#client/app/call.ts'
import { useRemote } from '#client/app/remote.ts'

/** All storages of the selected snapshot. */
export function useVolumes() {
  const { at } = useActiveDate()
  const query = { size: 1_000, sort: 'name', direction: 'asc' as const, ...at }
  return useRemote(volumes, { query }, 'snapshots', 'volumes')
}

export const useVolumesAt = (indexingDate: string | undefined) =>
  useRemote(volumes, volumesAt(indexingDate), 'snapshots', 'volumes')

/** Loads the volumes once. PDF documents must not use a screen's partly loaded data. */
export const readVolumesAt = async (indexingDate: string | undefined) =>
  (await call(volumes, volumesAt(indexingDate))).elements

const volumesAt = (indexingDate: string | undefined) => ({ query: { size: 1_000, indexingDate } })
