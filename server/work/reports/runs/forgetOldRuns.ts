import { sql as postgres } from 'kysely'
import type { Stores } from '#server/platform/platform.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { deleteFrom } from '#server/platform/clickhouse/statements.ts'
import { dropRuns } from './foundEntries.ts'

/**
 * Deletes results of runs that are older than their report keeps them, and removes the tag from those entries. Keeps
 * the results of each report's newest run, and the figures of all runs.
 */
export async function forgetOldRuns({ db, clickhouse }: Stores, templateId?: number): Promise<void> {
  const kept = await db
    .selectFrom('reportRuns')
    .innerJoin('reportTemplates', 'reportTemplates.id', 'templateId')
    .select(['reportRuns.id', 'templateId', 'reportTag'])
    .select(postgres<boolean>`ended_at < now() - make_interval(days => retention)`.as('isOld'))
    .where('isKept', '=', true)
    .$if(templateId !== undefined, (rows) => rows.where('templateId', '=', templateId ?? 0))
    .orderBy('reportRuns.id', 'desc')
    .execute()
  const newest = new Map(kept.toReversed().map((run) => [run.templateId, run.id]))
  const old = kept.filter(({ id, isOld, templateId: of }) => isOld && newest.get(of) !== id)
  if (old.length === 0) return
  const ids = old.map(({ id }) => id)
  const stays = new Set(kept.filter(({ id }) => !ids.includes(id)).map((run) => run.reportTag))
  for (const tag of new Set(old.map((run) => run.reportTag)))
    if (tag !== null && !stays.has(tag)) await clickhouse.change(deleteFrom('entry_tags', sql`tag = ${tag}`))
  await dropRuns(clickhouse, ids)
  await db.updateTable('reportRuns').set({ isKept: false }).where('id', 'in', ids).execute()
}
