import { isOpen } from '#events/jobs/events.ts'
import type { Platform } from '#server/platform/platform.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { endOfDays, nextTagVersion, withTagsLocked } from '#server/snapshots/index.ts'
import { dropRuns } from './foundEntries.ts'

type Stores = Pick<Platform, 'db' | 'clickhouse'>

/** A run that came to nothing: its tag, the version that its tags begin with, and the other tags that it gave. */
export type UndoneRun = { id: number; reportTag: string; tagVersion: number; tags: readonly string[] }

/** Takes back what a run left that came to nothing: its tags, and what it found. Done twice it changes nothing. */
export async function undoRun(stores: Stores, run: UndoneRun): Promise<void> {
  const { db, clickhouse } = stores
  const { id, tags, tagVersion } = run
  const volumes = await db.selectFrom('volumes').select('id').execute()
  const volumeIds = volumes.map((volume) => volume.id)
  await withTagsLocked(stores, volumeIds, async () => {
    await restoreTag(stores, run)
    if (tags.length > 0)
      await clickhouse.change(sql`
        DELETE FROM entry_tags WHERE tag IN ${tags} AND version >= ${tagVersion}
          AND (volume, parent_path, name, is_directory) IN (
            SELECT volume, parent_path, name, is_directory FROM report_entries WHERE run = ${id})`)
  })
  await dropRuns(clickhouse, [id])
}

/** What an earlier run of the day found has its tag as before; without one nothing has it. */
async function restoreTag({ db, clickhouse }: Stores, { id, reportTag }: UndoneRun): Promise<void> {
  await clickhouse.change(sql`DELETE FROM entry_tags WHERE tag = ${reportTag}`)
  const kept = db.selectFrom('reportRuns').select(['id', 'indexingDate']).where('reportTag', '=', reportTag)
  const others = kept.where('isKept', '=', true).where('id', '!=', id).orderBy('id', 'desc')
  const before = await others.limit(1).executeTakeFirst()
  if (!before) return
  const version = await nextTagVersion(db)
  await clickhouse.change(sql`
    INSERT INTO entry_tags (tag, volume, parent_path, name, is_directory, from_date, to_date, version)
    SELECT ${reportTag}, volume, parent_path, name, is_directory, toDate(${before.indexingDate}), toDate(${endOfDays}), ${version}
    FROM report_entries WHERE run = ${before.id}`)
}

/** Takes back what runs left that came to nothing while no server was there to do so. In the turn of runs: who works on one does so. */
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
