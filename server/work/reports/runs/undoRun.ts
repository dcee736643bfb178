import { isOpen } from '#events/jobs/events.ts'
import type { Stores } from '#server/platform/platform.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { deleteFrom, insertInto } from '#server/platform/clickhouse/statements.ts'
import { endOfDays, nextTagVersion, tagColumns, withTagsLocked } from '#server/content/snapshots/index.ts'
import { dropRuns } from './foundEntries.ts'

/** A failed run: its tag, the version of its first tag rows, and its other tags. */
export type UndoneRun = { id: number; reportTag: string; tagVersion: number; tags: readonly string[] }

/** Removes everything that a failed run left: its tags and its results. Repeating it changes nothing. */
export async function undoRun(stores: Stores, run: UndoneRun): Promise<void> {
  const { db, clickhouse } = stores
  const { id, tags, tagVersion } = run
  const volumes = await db.selectFrom('volumes').select('id').execute()
  const volumeIds = volumes.map((volume) => volume.id)
  await withTagsLocked(stores, 'everything', volumeIds, async () => {
    await restoreTag(stores, run)
    if (tags.length > 0)
      await clickhouse.change(
        deleteFrom(
          'entry_tags',
          sql`tag IN ${tags} AND version >= ${tagVersion} AND (volume, parent_path, name, is_directory) IN (
            SELECT volume, parent_path, name, is_directory FROM report_entries WHERE run = ${id})`,
        ),
      )
  })
  await dropRuns(clickhouse, [id])
}

/** Results of an earlier run on the same day keep the tag; without one, no entry has it. */
async function restoreTag({ db, clickhouse }: Stores, { id, reportTag }: UndoneRun): Promise<void> {
  await clickhouse.change(deleteFrom('entry_tags', sql`tag = ${reportTag}`))
  const kept = db.selectFrom('reportRuns').select(['id', 'indexingDate']).where('reportTag', '=', reportTag)
  const others = kept.where('isKept', '=', true).where('id', '!=', id).orderBy('id', 'desc')
  const before = await others.limit(1).executeTakeFirst()
  if (!before) return
  const version = await nextTagVersion(db)
  const rows = sql`
    SELECT ${reportTag}, volume, parent_path, name, is_directory, toDate(${before.indexingDate}), toDate(${endOfDays}), ${version}
    FROM report_entries WHERE run = ${before.id}`
  await clickhouse.change(insertInto('entry_tags', rows, tagColumns))
}

/**
 * Undoes runs that failed while no server was running. Uses the turn of report runs, so a run in progress is undone by
 * its own worker.
 */
export async function undoLeftRuns({ db, clickhouse }: Stores): Promise<void> {
  const found = await clickhouse.rows<{ run: number }>(sql`SELECT DISTINCT run FROM report_entries`, { heavy: true })
  const ids = found.map(({ run }) => run)
  if (ids.length === 0) return
  const rows = db
    .selectFrom('reportRuns')
    .innerJoin('reportTemplates', 'reportTemplates.id', 'templateId')
    .leftJoin('jobs', 'jobs.id', 'jobId')
    .select(['reportRuns.id', 'isKept', 'reportTag', 'tagVersion', 'tags', 'jobs.status'])
  const known = await rows.where('reportRuns.id', 'in', ids).execute()
  for (const { id, isKept, reportTag, tagVersion, tags, status } of known) {
    if (isKept || (status && isOpen({ status }))) continue
    if (reportTag !== null && tagVersion !== null)
      await undoRun({ db, clickhouse }, { id, reportTag, tagVersion, tags })
  }
  const deleted = ids.filter((id) => known.every((run) => run.id !== id))
  await dropRuns(clickhouse, deleted)
}
