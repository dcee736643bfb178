import { Criteria } from '#events/criteria.ts'
import { TagPayload } from '#events/job-payloads.ts'
import type { Searched } from '#events/searched.ts'
import { beginJob, nextNumber, queueTagging as queueTags } from '#server/jobs/index.ts'
import type { Actor } from '#server/platform/eventLog.ts'
import { wakeFollowers } from '#server/platform/follow.ts'
import type { Platform } from '#server/platform/platform.ts'
import { checkExpressions } from '#server/search/index.ts'
import { checkKept } from './checkKept.ts'
import { writableSnapshot } from './writableSnapshot.ts'

type Asked = {
  indexingDate?: string | undefined
  isDirectory: boolean
  deleteTag: boolean
  tagToApply: string[]
}

/**
 * Queues a job that gives tags to all results of a search of the newest snapshot, or takes them; returns its number. Throws
 * 409 for an older day, and 400 that names what a job cannot keep and each expression of criteria which is none.
 */
export async function queueTagResults(
  { db, clickhouse }: Pick<Platform, 'db' | 'clickhouse'>,
  searched: Searched,
  { indexingDate, isDirectory, deleteTag: remove, tagToApply: tags }: Asked,
  by: Actor,
): Promise<number> {
  await writableSnapshot(db, indexingDate, isDirectory ? 'folder' : 'file')
  checkKept('filters' in searched ? searched.filters : searched.criteria)
  if ('criteria' in searched) await checkExpressions(clickhouse, Criteria.parse(searched.criteria))
  return queueTagging({ db }, TagPayload.parse({ tags, remove, isDirectory, ...searched }), by)
}

/** Queues the job as it is told, whatever is indexed. */
export async function queueTagging({ db }: Pick<Platform, 'db'>, payload: TagPayload, by: Actor): Promise<number> {
  const jobId = await db.transaction().execute(async (trx) => {
    const [jobId, taskId] = [await nextNumber(trx, 'job_ids'), await nextNumber(trx, 'task_ids')]
    await beginJob(trx, jobId, by, queueTags(jobId, taskId, payload, new Date().toISOString()))
    return jobId
  })
  wakeFollowers()
  return jobId
}
