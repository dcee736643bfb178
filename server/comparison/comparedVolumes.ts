import type { Db } from '#server/platform/postgres/postgres.ts'
import { type ShownVolume, type Snapshot, twoSnapshots } from '#server/snapshots/index.ts'

/** A volume that both dates show, each at another scan. */
export type Rescanned = ShownVolume & { previousScan: number }

/** Two snapshots, and what is to be read of them: `came` and `left` show the volumes that the other one does not have. */
export type Compared = { previous: Snapshot; now: Snapshot; rescanned: Rescanned[]; came: Snapshot; left: Snapshot }

type Query = { storages: number[]; indexingDate?: string | undefined }

/** The snapshots of two days in some storages, or in all when none is named; throws 400 when the second day is earlier. */
export async function comparedVolumes(db: Db, previousDate: string, query: Query): Promise<Compared> {
  const shown = await twoSnapshots(db, previousDate, query.indexingDate)
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
