import { sql as postgres } from 'kysely'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { type Sql, name, sql, text } from '#server/platform/clickhouse/sql.ts'
import { forgetVolumes } from './forgetVolumes.ts'
import { shownScans, unshownStatistics, unusedVersions } from './keptVersions.ts'
import { withVolumeLockIfFree } from '#server/snapshots/locks.ts'

type Stores = Pick<Platform, 'db' | 'clickhouse'>

/** To look through a hundred million versions takes half a minute. */
const mostSeconds = 600

/**
 * Removes what no snapshot shows since one was deleted so many milliseconds ago or longer. The engine removes in the
 * background: a volume stays marked until a later call finds nothing more to remove. Cut short at any point, it is called
 * again and goes on; a volume that is being committed waits.
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

/** A snapshot that was deleted meanwhile has marked the volume anew. */
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
  const tags = !(await isOver(db, volumeId)) || (await isWithout(clickhouse, 'entry_tags', sql`volume = ${volumeId}`))
  return versions && statistics && tags
}

/** Whether a volume was deleted and nothing is known of it any more: no scan will bring back what its tags were given to. */
const isOver = async (db: Db, volumeId: number): Promise<boolean> =>
  (await db
    .selectFrom('volumes')
    .select('id')
    .where('id', '=', volumeId)
    .where('deletedAt', 'is not', null)
    .where('generation', 'is', null)
    .executeTakeFirst()) !== undefined

/** Whether a table has no such rows any more; if it has, and nothing is removed from it right now, that begins. */
async function isWithout(clickhouse: ClickHouse, table: string, rows: Sql, partition = sql``): Promise<boolean> {
  if (await isRemoving(clickhouse, table)) return false
  const found = await clickhouse.rows(sql`SELECT 1 FROM ${name(table)} WHERE ${rows} LIMIT 1`, {
    heavy: true,
    seconds: mostSeconds,
  })
  if (found.length === 0) return true
  await clickhouse.command(sql`
    ALTER TABLE ${name(table)} DELETE${partition} WHERE ${rows}
    SETTINGS mutations_sync = 0`)
  return false
}

/** Whether rows are being removed. The engine would try what fails for ever, and commits would wait for it: it is ended. */
async function isRemoving(clickhouse: ClickHouse, table: string): Promise<boolean> {
  const removals = await clickhouse.rows<{ id: string; failure: string }>(sql`
    SELECT mutation_id AS id, latest_fail_reason AS failure FROM system.mutations
    WHERE database = currentDatabase() AND table = ${table} AND NOT is_done`)
  const failed = removals.find(({ failure }) => failure !== '')
  if (!failed) return removals.length > 0
  await clickhouse.command(sql`
    KILL MUTATION WHERE database = currentDatabase() AND table = ${table} AND mutation_id = ${failed.id}`)
  throw new Error(`Removing rows of ${table} failed: ${failed.failure}`)
}
