import type { Db } from '#server/platform/postgres.ts'
import { invalid } from '#server/platform/problem.ts'
import { shownOn, type ShownVolume, type Snapshot } from '#server/snapshots/index.ts'

/** A volume that both dates show, each at another scan. */
export type Rescanned = ShownVolume & { previousScan: number }

/** Two snapshots, and what is to be read of them: `came` and `left` show the volumes that the other one does not have. */
export type Compared = { previous: Snapshot; now: Snapshot; rescanned: Rescanned[]; came: Snapshot; left: Snapshot }

type Asked = { storages: number[]; indexingDate?: string | undefined }

/** The snapshots of two days in some storages, or in all when none is named; throws 400 when the second day is earlier. */
export async function comparedVolumes(db: Db, previousDate: string, asked: Asked): Promise<Compared> {
  const { indexingDate, storages } = asked
  if (indexingDate !== undefined && previousDate > indexingDate)
    return invalid('previousDate', 'must not be after the indexing date')
  const previous = await shownIn(db, previousDate, storages)
  // Read last: what it says of volumes that both show is true of the earlier scan, too.
  const now = await shownIn(db, indexingDate, storages)
  if (previous.indexingDate > now.indexingDate) return invalid('previousDate', 'must not be after the indexing date')
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

async function shownIn(db: Db, date: string | undefined, storages: number[]): Promise<Snapshot> {
  const snapshot = await shownOn(db, date)
  const isMeant = ({ volumeId }: ShownVolume) => storages.length === 0 || storages.includes(volumeId)
  return { ...snapshot, volumes: snapshot.volumes.filter(isMeant) }
}
