import { volumes } from '#events/snapshots.ts'
import { useRemote } from '../app/remote.ts'

/** The storages of a snapshot. */
export const useVolumesOf = (indexingDate: string | undefined) =>
  useRemote(volumes, { query: { size: 1_000, indexingDate } }, 'snapshots', 'volumes')
