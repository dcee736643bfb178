import { sql as postgres } from 'kysely'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import type { Stores } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { type Sql, name, sql, text } from '#server/platform/clickhouse/sql.ts'
import { alterTable, onEveryServer } from '#server/platform/clickhouse/statements.ts'
import { forgetVolumes } from './forgetVolumes.ts'
import { shownScans, unshownStatistics, unusedVersions } from './keptVersions.ts'
import { withVolumeLockIfFree } from '#server/content/snapshots/locks.ts'

/** Maximum seconds; searching a hundred million versions takes half a minute. */
const maxSeconds = 600

/**
 * Removes data no longer shown since a snapshot was deleted at least this many milliseconds ago. The engine removes in
 * the background: a volume stays marked until a later call finds nothing to remove. Can be interrupted and repeated at
 * any point; a volume being committed waits.
 */
export async function removeUnshown({ db, clickhouse }: Stores, olderThanMs: number): Promise<void> {
  await forgetVolumes(db)
  const marked = await db
    .selectFrom('deletedSnapshots')
    .select(['volumeId', postgres<string>`since::text`.as('since')])
    .where('since', '<=', postgres<Date>`now() - ${olderThanMs} * interval '1 millisecond'`)
    .execute()
  for (const mark of marked)
    await withVolumeLockIfFree(db, mark.volumeId, async (held) => {
      if (await isClear({ db: held, clickhouse }, mark.volumeId)) await unmark(held, mark)
    })
}

/** A snapshot deleted meanwhile has marked the volume again. */
const unmark = (db: Db, { volumeId, since }: { volumeId: number; since: string }) =>
  db
    .deleteFrom('deletedSnapshots')
    .where('volumeId', '=', volumeId)
    .where('since', '=', postgres<Date>`${since}::timestamptz`)
    .execute()

async function isClear({ db, clickhouse }: Stores, volumeId: number): Promise<boolean> {
  const scans = await shownScans(db, volumeId)
  const partition = sql` IN PARTITION ${text(String(Number(volumeId)))}`
  const versions = await isWithout(clickhouse, 'entry_history', await unusedVersions(db, scans), partition)
  const statistics = await isWithout(clickhouse, 'volume_statistics', unshownStatistics(scans), partition)
  if (!(await isOver(db, volumeId))) return versions && statistics
  const tags = await isWithout(clickhouse, 'entry_tags', sql`volume = ${volumeId}`)
  const contents = await isWithout(clickhouse, 'file_contents', sql`volume = ${volumeId}`)
  const media = await isWithout(clickhouse, 'media_facts', sql`volume = ${volumeId}`, partition)
  return versions && statistics && tags && contents && media
}

/** Returns whether a volume was deleted and has no data left: no scan can bring back its tagged entries. */
const isOver = async (db: Db, volumeId: number): Promise<boolean> =>
  (await db
    .selectFrom('volumes')
    .select('id')
    .where('id', '=', volumeId)
    .where('deletedAt', 'is not', null)
    .where('generation', 'is', null)
    .executeTakeFirst()) !== undefined

/** Returns whether a table has no such rows; otherwise starts their removal, unless one is running. */
async function isWithout(clickhouse: ClickHouse, table: string, rows: Sql, partition = sql``): Promise<boolean> {
  if (await isRemoving(clickhouse, table)) return false
  const found = await clickhouse.rows(sql`SELECT 1 FROM ${name(table)} WHERE ${rows} LIMIT 1`, {
    heavy: true,
    seconds: maxSeconds,
  })
  if (found.length === 0) return true
  await clickhouse.command(alterTable(table, sql`DELETE${partition} WHERE ${rows} SETTINGS mutations_sync = 0`))
  return false
}

/**
 * Returns whether rows are being removed. A failing removal would be retried forever and block commits, so it is
 * killed.
 */
async function isRemoving(clickhouse: ClickHouse, table: string): Promise<boolean> {
  const stored = clickhouse.system.storedTable(table)
  const removals = await clickhouse.rows<{ id: string; failure: string }>(sql`
    SELECT mutation_id AS id, latest_fail_reason AS failure FROM ${clickhouse.system.ofShards('mutations')}
    WHERE database = currentDatabase() AND table = ${stored} AND NOT is_done`)
  const failed = removals.find(({ failure }) => failure !== '')
  if (!failed) return removals.length > 0
  const where = sql`WHERE database = currentDatabase() AND table = ${stored} AND mutation_id = ${failed.id}`
  await clickhouse.command(onEveryServer('KILL MUTATION', where))
  throw new Error(`Removing rows of ${table} failed: ${failed.failure}`)
}
