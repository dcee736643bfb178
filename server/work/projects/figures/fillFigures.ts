import { storedBytes } from '#events/scans/entryLimits.ts'
import { sql } from 'kysely'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { duplicateRules } from '#server/content/snapshots/reading/duplicateRules.ts'
import { snapshotAt } from '#server/content/snapshots/reading/snapshotAt.ts'
import { openLinks } from '../links/fillLinks.ts'
import { type FolderFigures, measureFolders } from './measureFolders.ts'

/** A date of a volume with missing figures; `shown` identifies everything they depend on. */
type OutdatedFigures = { indexingDate: string; volumeId: number; shown: string; scanId: number }

type FillOptions = {
  /** Stops the work and its queries. */
  signal: AbortSignal
  /** Returns whether there may be a newer date to start with. */
  isOutrun: () => boolean
  /** Called for each date of a volume whose figures are complete. */
  filled: () => void
}

/**
 * Counts tracked folders wherever figures are missing, newest dates first, and the hard links between those of a project. A failed date
 * doesn't block others. Returns false if it ended early.
 */
export async function fillFigures(
  { db, clickhouse, log }: Pick<Platform, 'db' | 'clickhouse' | 'log'>,
  { signal, isOutrun, filled }: FillOptions,
): Promise<boolean> {
  await forgetUntracked(db)
  const links = await openLinks({ db, clickhouse, signal })
  const fillVolume = async (outdated: OutdatedFigures): Promise<void> => {
    const snapshot = await snapshotAt(db, 'everything', outdated.indexingDate)
    // The date may have been deleted meanwhile.
    if (snapshot?.indexingDate !== outdated.indexingDate) return
    // First, so that a project is complete once its folders are counted.
    await links.fill(outdated.indexingDate)
    const { volumeId } = outdated
    const paths = await findUncounted(db, outdated)
    if (paths.length === 0) return
    await keepFigures(db, outdated, await measureFolders(clickhouse, snapshot, { volumeId, paths }, signal))
    filled()
  }
  const fillLinks = async ({ indexingDate }: { indexingDate: string }): Promise<void> => {
    if (await links.fill(indexingDate)) filled()
  }
  const steps = [
    ...(await findOutdated(db)).map((date) => ({ date, run: () => fillVolume(date) })),
    ...links.dates.map((indexingDate) => ({ date: { indexingDate }, run: () => fillLinks({ indexingDate }) })),
  ]
  for (const { date, run } of steps) {
    if (signal.aborted || isOutrun()) return false
    try {
      await run()
    } catch (error) {
      if (signal.aborted) return false
      log.warn({ error, ...date }, 'could not count the figures of projects, will retry')
    }
  }
  return true
}

/**
 * Duplicates are found among everything a date shows, by the current rules: so figures depend on the scans of all
 * volumes of the date, their size bases, and the rules. Here they are only counted, for all dates of all tracked volumes, and looked
 * up if one is missing.
 */
async function findOutdated(db: Db): Promise<OutdatedFigures[]> {
  const { minimumSize } = await duplicateRules(db)
  const { rows } = await sql<OutdatedFigures>`
    WITH dates AS MATERIALIZED (
      SELECT indexing_date, md5(${`${minimumSize} `} || string_agg(concat_ws(' ', scan_id, size_basis), ',' ORDER BY scan_id)) AS shown
      FROM snapshots JOIN volumes ON volumes.id = snapshots.volume_id GROUP BY indexing_date
    ), tracked AS MATERIALIZED (
      SELECT volume_id, count(DISTINCT path_hash) AS folders FROM project_folders GROUP BY volume_id
    ), known AS MATERIALIZED (
      SELECT indexing_date, volume_id, shown, count(*) AS folders FROM folder_figures GROUP BY indexing_date, volume_id, shown
    )
    SELECT snapshots.indexing_date, snapshots.volume_id, dates.shown, snapshots.scan_id
    FROM snapshots
    JOIN dates USING (indexing_date)
    JOIN tracked USING (volume_id)
    LEFT JOIN known USING (indexing_date, volume_id, shown)
    WHERE known.folders IS DISTINCT FROM tracked.folders
    ORDER BY snapshots.indexing_date DESC, snapshots.volume_id`.execute(db)
  return rows
}

async function findUncounted(db: Db, { indexingDate, volumeId, shown }: OutdatedFigures): Promise<string[]> {
  const { rows } = await sql<{ path: string }>`
    SELECT DISTINCT path FROM project_folders AS tracked
    LEFT JOIN folder_figures AS known ON known.volume_id = tracked.volume_id AND known.path_hash = tracked.path_hash
      AND known.indexing_date = ${indexingDate}
    WHERE tracked.volume_id = ${volumeId} AND known.shown IS DISTINCT FROM ${shown}`.execute(db)
  return rows.map(({ path }) => path)
}

/** Stores nothing if the date's scan was replaced meanwhile; the newer one is counted next. */
async function keepFigures(
  db: Db,
  { indexingDate, volumeId, shown, scanId }: OutdatedFigures,
  measured: FolderFigures[],
) {
  const at = (seconds: number | null) => (seconds === null ? null : new Date(seconds * 1_000))
  const rows = measured.map(({ path, lastAccess, lastModified, statistics, classBytes, ...figures }) => ({
    ...figures,
    bytes: storedBytes(figures.bytes),
    apparentBytes: storedBytes(figures.apparentBytes),
    indexingDate,
    volumeId,
    shown,
    scanId,
    pathHash: sql<string>`md5(${path})`,
    lastAccess: at(lastAccess),
    lastModified: at(lastModified),
    statistics: JSON.stringify(statistics),
    classBytes: JSON.stringify(classBytes),
  }))
  await db.transaction().execute(async (trx) => {
    const shownScan = trx.selectFrom('snapshots').select('scanId').where('indexingDate', '=', indexingDate)
    const isStill = shownScan.where('volumeId', '=', volumeId).where('scanId', '=', scanId).forKeyShare()
    if (!(await isStill.executeTakeFirst())) return
    const known = trx.deleteFrom('folderFigures').where('indexingDate', '=', indexingDate)
    const hashes = rows.map(({ pathHash }) => pathHash)
    await known.where('volumeId', '=', volumeId).where('pathHash', 'in', hashes).execute()
    await trx.insertInto('folderFigures').values(rows).execute()
  })
}

/** Deletes figures of folders that are no longer tracked. */
const forgetUntracked = (db: Db) =>
  sql`DELETE FROM folder_figures WHERE NOT EXISTS (
    SELECT FROM project_folders AS tracked WHERE tracked.volume_id = folder_figures.volume_id
      AND tracked.path_hash = folder_figures.path_hash)`.execute(db)
