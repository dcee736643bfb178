import { scanOfTable } from '#server/workers/ingest/index.ts'
import type { Stores } from '#server/platform/platform.ts'
import { firstLiveScan } from '#server/content/snapshots/reading/entriesAt.ts'
import { commitScan } from './commitScan.ts'
import { dropScanTables, dropUnknownGenerations, removeUnknownVersions } from './leftovers.ts'
import { withVolumeLockIfFree } from '#server/content/snapshots/locks.ts'

/** Removes data that interrupted commits and scans left and that will not be resumed. Runs when the server starts. */
export async function recoverLeftovers(stores: Stores): Promise<void> {
  for (const scanId of await scansWithTables(stores)) await clearScan(stores, scanId)
  const volumes = await stores.db.selectFrom('volumes').select('id').execute()
  for (const { id } of volumes) await withVolumeLockIfFree(stores.db, id, (db) => clearVolume({ ...stores, db }, id))
}

/**
 * Reads tables before the scans they belong to, so that the table of a scan that starts in the meantime is no leftover.
 */
async function scansWithTables({ clickhouse }: Stores): Promise<Set<number>> {
  return new Set((await clickhouse.tables()).flatMap((table) => scanOfTable(table) ?? []))
}

async function clearScan(stores: Stores, scanId: number): Promise<void> {
  // Another replica may be storing a flush in its tables; the next flush replaces those of an interrupted one.
  if (scanId >= firstLiveScan) return
  const scan = await stores.db.selectFrom('scans').select('state').where('id', '=', scanId).executeTakeFirst()
  if (scan?.state === 'waiting' || scan?.state === 'running' || scan?.state === 'committing') return
  if (scan?.state === 'done' || scan?.state === 'partial') return commitScan(stores, scanId, async () => {})
  const openImport = stores.db.selectFrom('imports').select('id').where('id', '=', scanId)
  if (await openImport.where('state', 'in', ['READING', 'READY', 'COMMITTING']).executeTakeFirst()) return
  await dropScanTables(stores.clickhouse, scanId)
}

/**
 * Drops generations and versions that no finished commit knows. A commit that will be resumed drops those of its last
 * try too.
 */
async function clearVolume({ db, clickhouse }: Stores, volumeId: number): Promise<void> {
  const { committedScan } = await db
    .selectFrom('volumes')
    .select('committedScan')
    .where('id', '=', volumeId)
    .executeTakeFirstOrThrow()
  await dropUnknownGenerations({ db, clickhouse }, volumeId)
  await removeUnknownVersions(clickhouse, volumeId, committedScan)
}
