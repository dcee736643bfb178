import { sql } from 'kysely'
import type { ReportResult } from '#events/jobs/taskResults.ts'
import { reportTag } from '#events/tags.ts'
import type { Stores } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { nextTagVersion } from '#server/content/snapshots/index.ts'
import { limitsOf, type ReportLimits } from '#server/work/reports/reportLimits.ts'
import type { Template } from './run.ts'
import { type UndoneRun, undoRun } from './undoRun.ts'

/** The result of a run whose server died after it ended and before its job ended. */
export async function endedRun(db: Db, runId: number): Promise<ReportResult | undefined> {
  const row = db.selectFrom('reportRuns').selectAll().where('id', '=', runId).where('status', '=', 'SUCCESS')
  const run = await row.executeTakeFirst()
  if (!run) return undefined
  const [files, folders] = [run.numberOfFilesFound ?? 0, run.numberOfFoldersFound ?? 0]
  return { files, folders, bytes: run.sizeOfFilesFound ?? 0, tagged: files + folders, toTag: files + folders }
}

/**
 * Starts a run and stores its tag, named after the day of its first start. The tag is stored before any entry gets it,
 * so it can be removed if the run is cancelled. Undefined if it was cancelled.
 */
export async function beginRun(db: Db, id: number, template: Template, day: string): Promise<UndoneRun | undefined> {
  const version = await nextTagVersion(db)
  const tag = reportTag(await taggedName(db, template), day)
  const begun = await db
    .updateTable('reportRuns')
    .set(({ fn, ref, val }) => ({
      reportTag: fn.coalesce(ref('reportTag'), val(tag)),
      tagVersion: fn.coalesce(ref('tagVersion'), val(version)),
    }))
    .where('id', '=', id)
    .where('status', '=', 'NEW')
    .returning(['reportTag', 'tagVersion'])
    .$narrowType<{ reportTag: string; tagVersion: number }>()
    .executeTakeFirst()
  return begun && { id, tags: template.tags, ...begun }
}

/**
 * Names of reports that their users don't see of each other may be the same, but no two reports have the same tag: every name that ends like
 * one with a number gets its own.
 */
async function taggedName(db: Db, { id, name, ownerId }: Template): Promise<string> {
  const same = db
    .selectFrom('reportTemplates')
    .select('id')
    .where(sql`lower(name)`, '=', name.toLowerCase())
  const isFirst = !(await same.where('id', '<', id).limit(1).executeTakeFirst())
  return isFirst && !/ #\d+$/.test(name) && (await limitsOf(db, ownerId)).key === null ? name : `${name} #${id}`
}

/**
 * Stores within which limits a run and its job are counted, before they get figures. Undoes an earlier attempt within other limits, which
 * may have tagged what the owner doesn't see now.
 */
export async function keepLimits(stores: Stores, run: UndoneRun, { key: limits }: ReportLimits): Promise<void> {
  const { db } = stores
  const before = await db.selectFrom('reportRuns').select('limits').where('id', '=', run.id).executeTakeFirst()
  if (before && before.limits !== limits) await undoRun(stores, run)
  const kept = await db.updateTable('reportRuns').set({ limits }).where('id', '=', run.id).returning('jobId').execute()
  for (const { jobId } of kept) await db.updateTable('jobs').set({ limits }).where('id', '=', jobId).execute()
}

/** Also true for a run whose report was deleted. */
export async function isCancelled(db: Db, runId: number): Promise<boolean> {
  const run = await db.selectFrom('reportRuns').select('status').where('id', '=', runId).executeTakeFirst()
  return !run || run.status === 'CANCELLED'
}

/** Stores the reason why a run failed. */
export async function failRun(db: Db, runId: number, reason: string): Promise<void> {
  const failed = { status: 'FAILURE', reason, endedAt: new Date() } as const
  await db.updateTable('reportRuns').set(failed).where('id', '=', runId).execute()
}
