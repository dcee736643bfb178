import { sql as postgres } from 'kysely'
import { maxPlanHours } from '#events/policies/runs.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { whileClockIsPlausible } from '#server/platform/clock.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Platform, Stores } from '#server/platform/platform.ts'
import { conflict } from '#server/platform/problem.ts'
import { type Running, runEvery } from '#server/platform/runEvery.ts'
import { dropRows } from './rows.ts'

/** Keeps a selection as long as a job. Throws 409 if it was dropped or another job uses it. */
export async function assignSelection(trx: Trx, id: number, jobId: number): Promise<void> {
  const used = await trx
    .updateTable('selections')
    .set({ usedBy: jobId })
    .where('id', '=', id)
    .where((row) => row.or([row('usedBy', 'is', null), row('usedBy', '=', jobId)]))
    .executeTakeFirst()
  if (used.numUpdatedRows === 0n) conflict('The selection is no longer available. Select the entries again.')
}

/** The row goes first: without it the sweep finds and drops the entries. */
export async function dropSelection({ db, clickhouse }: Stores, id: number): Promise<void> {
  await db.deleteFrom('selections').where('id', '=', id).execute()
  await dropRows(clickhouse, id)
}

/** Milliseconds. */
const intervalMs = 60 * 60_000

/** Every hour, drops selections that no one needs. `needed` returns those that are, although their job was pruned. */
export const startDroppingSelections = (
  platform: Pick<Platform, 'db' | 'clickhouse' | 'log'>,
  needed: (stores: Stores) => Promise<number[]>,
): Running =>
  runEvery(
    intervalMs,
    () => whileClockIsPlausible(platform.db, async () => dropUnused(platform, await needed(platform))),
    'could not drop unused selections, will retry',
    platform.log,
  )

/**
 * Drops selections that no job used for a day, or as long as a plan of a policy may be approved, those of jobs that were pruned, and entries that
 * an interrupted freeze left a day ago. Lists of runs that wait for approval stay.
 */
export async function dropUnused(
  { db, clickhouse }: Stores,
  needed: readonly number[] = [],
  hours = 24,
): Promise<void> {
  const { rows } = await postgres<{ id: number }>`
    DELETE FROM selections WHERE coalesce(kept_until < now(), true) AND CASE WHEN used_by IS NULL
      THEN created_at < now() - make_interval(hours => ${hours}::int + CASE WHEN plan -> 'policyId' IS NULL THEN 0 ELSE ${maxPlanHours}::int END)
      ELSE id != ALL(${needed}) AND NOT EXISTS (SELECT FROM jobs WHERE jobs.id = used_by) END
      AND NOT EXISTS (SELECT FROM policy_runs WHERE state = 'waiting' AND selection_id = selections.id)
    RETURNING id`.execute(db)
  for (const { id } of rows) await dropRows(clickhouse, id)
  const left = await clickhouse.rows<{ id: number }>(sql`
    SELECT toUInt64(partition) AS id FROM ${clickhouse.system.ofShards('parts')}
    WHERE database = currentDatabase() AND table = ${clickhouse.system.storedTable('selected_entries')} AND active
    GROUP BY partition HAVING max(modification_time) <= now() - INTERVAL ${hours} HOUR`)
  const known = new Set((await db.selectFrom('selections').select('id').execute()).map(({ id }) => id))
  for (const { id } of left) if (!known.has(id)) await dropRows(clickhouse, id)
}
