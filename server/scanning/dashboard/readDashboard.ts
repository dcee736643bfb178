import type { Dashboard, StorageSize } from '#events/dashboard.ts'
import { forecastFull, forecastDays, type Measurement } from '#events/overview/forecast.ts'
import { now } from '#events/contract/endpoint.ts'
import type { Scope } from '#server/platform/callers/scope.ts'
import type { Stores } from '#server/platform/platform.ts'
import { asOf } from '#server/content/snapshots/reading/asOf.ts'
import { limitStorages } from '#server/content/snapshots/reading/limitStorages.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import {
  asShownVolume,
  diskColumns,
  otherSizes,
  shareOfVolume,
  shownDisk,
} from '#server/content/snapshots/reading/shownVolume.ts'
import { snapshotAt } from '#server/content/snapshots/reading/snapshotAt.ts'
import { listScans } from '#server/scanning/scans/index.ts'
import { daysBefore } from '#events/contract/days.ts'
import { sql } from 'kysely'

/** The dashboard of a day, or of the newest one; a day without a snapshot shows the newest snapshot before it. */
export async function readDashboard(db: Db, date?: string): Promise<Dashboard> {
  const [snapshot, scans] = await Promise.all([snapshotAt(db, 'everything', date), listScans(db, 'everything', date)])
  const storages = snapshot ? await readStorages(db, 'everything', snapshot.indexingDate) : []
  return { indexingDate: snapshot?.indexingDate ?? null, storages, scans }
}

/** The same as a caller with limits sees it, and for `now` with the live states of storages. */
export async function readLimitedDashboard(stores: Stores, scope: Scope, date?: string): Promise<Dashboard> {
  const { db } = stores
  const [snapshot, scans, limit] = await Promise.all([
    snapshotAt(db, scope, date),
    listScans(db, scope, date === now ? undefined : date),
    limitStorages(stores, scope, date),
  ])
  const found = snapshot ? await readStorages(db, scope, snapshot.indexingDate) : []
  const storages = limit(found, ({ volumeId }) => volumeId)
  return { indexingDate: snapshot?.indexingDate ?? null, ...asOf(storages), storages, scans }
}

/** The volumes of a snapshot, each with the figures of its scan, and when its disk is full. */
export async function readStorages(db: Db, scope: Scope, indexingDate: string): Promise<StorageSize[]> {
  const rows = await db
    .selectFrom('snapshots')
    .innerJoin('scans', 'scans.id', 'snapshots.scanId')
    .innerJoin('volumes', 'volumes.id', 'snapshots.volumeId')
    .select(['volumes.id as volumeId', 'volumes.name', 'volumes.type', 'volumes.path'])
    .innerJoin(shownDisk(scope), (join) => join.onTrue())
    .select([...diskColumns, 'scans.fileSystem', ...otherSizes, shareOfVolume])
    .select(['bytes as sizeOfFiles', 'countedBytes as countedSize', 'files as numberOfFiles'])
    .select(['folders as numberOfFolders', 'scans.state', 'scans.indexingDate'])
    .where('snapshots.indexingDate', '=', indexingDate)
    .orderBy('volumes.name')
    .orderBy('volumes.id')
    .execute()
  const measurements = await readMeasurements(db, indexingDate)
  return rows.map(({ state, ...row }) => {
    const storage = asShownVolume(row)
    const forecast = forecastFull(measurements.get(diskKey(storage)) ?? [], storage)
    return { ...storage, isPartial: state === 'partial', ...(forecast && { forecast }) }
  })
}

/** Key of the disk of a storage: storages on the same file system share it. */
const diskKey = ({ fileSystem, volumeId }: { fileSystem: string | null; volumeId: number }): string =>
  fileSystem ?? `volume ${volumeId}`

/**
 * Used bytes of the disks by day, oldest first, from the scans of the days up to a date. A day without a scan has none: its
 * snapshot only repeats an older one, which would flatten the trend. Of several scans of a disk on a day the last counts.
 */
async function readMeasurements(db: Db, indexingDate: string): Promise<Map<string, Measurement[]>> {
  const { rows } = await sql<{ volumeId: number; fileSystem: string | null; day: string; used: number }>`
    SELECT DISTINCT ON (disk, day) coalesce(file_system, 'volume ' || snapshots.volume_id) AS disk,
      snapshots.volume_id, file_system, scans.indexing_date AS day, capacity_used AS used
    FROM snapshots JOIN scans ON scans.id = snapshots.scan_id AND scans.indexing_date = snapshots.indexing_date
    WHERE snapshots.indexing_date BETWEEN ${daysBefore(indexingDate, forecastDays)} AND ${indexingDate}
      AND capacity_used IS NOT NULL
    ORDER BY disk, day, scans.id DESC`.execute(db)
  return Map.groupBy(rows, diskKey)
}
