import type { Dashboard, StorageSize } from '#events/dashboard.ts'
import { forecastFull } from '#events/overview/forecast.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import {
  asShownVolume,
  diskColumns,
  otherSizes,
  shareOfVolume,
  shownDisk,
} from '#server/snapshots/reading/shownVolume.ts'
import { snapshotAt } from '#server/snapshots/reading/snapshotAt.ts'
import { diskKey, readMeasurements } from './readForecasts.ts'
import { listScans } from './scanRecord.ts'

/** The dashboard of a day, or of the newest one; a day without a snapshot shows the newest snapshot before it. */
export async function readDashboard(db: Db, date?: string): Promise<Dashboard> {
  const [snapshot, scans] = await Promise.all([snapshotAt(db, date), listScans(db, date)])
  const storages = snapshot ? await readStorages(db, snapshot.indexingDate) : []
  return { indexingDate: snapshot?.indexingDate ?? null, storages, scans }
}

/** The volumes of a snapshot, each with the figures of its scan, and when its disk is full. */
export async function readStorages(db: Db, indexingDate: string): Promise<StorageSize[]> {
  const rows = await db
    .selectFrom('snapshots')
    .innerJoin('scans', 'scans.id', 'snapshots.scanId')
    .innerJoin('volumes', 'volumes.id', 'snapshots.volumeId')
    .select(['volumes.id as volumeId', 'volumes.name', 'volumes.type', 'volumes.path'])
    .innerJoin(shownDisk, (join) => join.onTrue())
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
