import type { Scope } from '#server/platform/callers/scope.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { ShownVolume, Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import { twoSnapshots } from '#server/content/snapshots/reading/twoSnapshots.ts'

/** A volume in both snapshots, with different scans. */
export type RescannedVolume = ShownVolume & { previousScan: number }

/** Two snapshots and their differing parts: `came` and `left` have the volumes that are missing in the other one. */
export type ComparedSnapshots = {
  previous: Snapshot
  now: Snapshot
  rescanned: RescannedVolume[]
  came: Snapshot
  left: Snapshot
}

type Query = { storages: number[]; indexingDate?: string | undefined }

/** The snapshots of two days in some storages, or in all for an empty list; throws 400 if the second day is earlier. */
export async function comparedVolumes(
  db: Db,
  scope: Scope,
  previousDate: string,
  query: Query,
): Promise<ComparedSnapshots> {
  const shown = await twoSnapshots(db, scope, previousDate, query.indexingDate)
  const [previous, now] = [within(shown.before, query.storages), within(shown.now, query.storages)]
  return {
    previous,
    now,
    rescanned: now.volumes.flatMap((volume) => {
      const before = of(previous, volume)
      return before && before.scanId < volume.scanId ? [{ ...volume, previousScan: before.scanId }] : []
    }),
    came: { ...now, volumes: now.volumes.filter((volume) => !of(previous, volume)) },
    left: { ...previous, volumes: previous.volumes.filter((volume) => !of(now, volume)) },
  }
}

const of = ({ volumes }: Snapshot, { volumeId }: ShownVolume) => volumes.find((volume) => volume.volumeId === volumeId)

function within(snapshot: Snapshot, storages: number[]): Snapshot {
  const isMeant = ({ volumeId }: ShownVolume) => storages.length === 0 || storages.includes(volumeId)
  return { ...snapshot, volumes: snapshot.volumes.filter(isMeant) }
}
