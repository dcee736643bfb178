import { foldersIn, type Scope } from '#server/platform/callers/scope.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { ShownVolume, Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import { twoSnapshots } from '#server/content/snapshots/reading/twoSnapshots.ts'

/**
 * A volume in both snapshots, with different scans or visible folders. The folders are those of callers who see only parts of it, on both
 * dates: they differ if a folder of a project moved, and then unchanged entries are differences too. `seenEver` also has those of the scans
 * between, through which entries may have moved.
 */
export type RescannedVolume = ShownVolume & {
  previousScan: number
  seen: Folders
  seenBefore: Folders
  seenEver: Folders
  differs: boolean
  /** The earlier state, if it or the later one was imported: no versions connect them. */
  across?: ShownVolume
}
type Folders = readonly string[] | undefined

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
      const [seen, seenBefore] = [now.partial.get(volume.volumeId), previous.partial.get(volume.volumeId)]
      const differs = JSON.stringify(seen) !== JSON.stringify(seenBefore)
      const across = before && (before.imported ?? volume.imported) ? { across: before } : {}
      const isSame = before && (across.across ? before.scanId === volume.scanId : before.scanId >= volume.scanId)
      if (!before || (isSame && !differs)) return []
      const ever = scope === 'everything' ? ['/'] : foldersIn(scope, { ...volume, sinceScan: before.scanId })
      const seenEver = ever.includes('/') ? undefined : ever
      return [{ ...volume, previousScan: before.scanId, seen, seenBefore, seenEver, differs, ...across }]
    }),
    came: { ...now, volumes: now.volumes.filter((volume) => !of(previous, volume)) },
    left: { ...previous, volumes: previous.volumes.filter((volume) => !of(now, volume)) },
  }
}

/** The same, with the volumes whose visible folders differ, and those that imports separate, as if each date had another volume. */
export function apart(compared: ComparedSnapshots): ComparedSnapshots {
  const { previous, now, rescanned, came, left } = compared
  const differing = rescanned.filter(({ differs, across }) => differs || across)
  if (differing.length === 0) return compared
  const isApart = (volume: ShownVolume) => of({ volumes: differing }, volume)
  return {
    ...compared,
    rescanned: rescanned.filter((volume) => !isApart(volume)),
    came: { ...now, volumes: [...came.volumes, ...now.volumes.filter(isApart)] },
    left: { ...previous, volumes: [...left.volumes, ...previous.volumes.filter(isApart)] },
  }
}

const of = ({ volumes }: Pick<Snapshot, 'volumes'>, { volumeId }: ShownVolume) =>
  volumes.find((volume) => volume.volumeId === volumeId)

function within(snapshot: Snapshot, storages: number[]): Snapshot {
  const isMeant = ({ volumeId }: ShownVolume) => storages.length === 0 || storages.includes(volumeId)
  return { ...snapshot, volumes: snapshot.volumes.filter(isMeant) }
}
