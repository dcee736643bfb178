import { TagPayload } from '#events/job-payloads.ts'
import type { SearchFilters } from '#events/search-filters.ts'
import { beginJob, nextNumber, queueTagging as queueTags } from '#server/jobs/index.ts'
import type { Actor } from '#server/platform/eventLog.ts'
import { wakeFollowers } from '#server/platform/follow.ts'
import type { Platform } from '#server/platform/platform.ts'
import { writableSnapshot } from './writableSnapshot.ts'

type Asked = SearchFilters & {
  indexingDate?: string | undefined
  isDirectory: boolean
  deleteTag: boolean
  tagToApply: string[]
}

/** Queues a job that gives tags to all results of a search of the newest snapshot, or takes them; returns its number. */
export async function queueTagResults({ db }: Pick<Platform, 'db'>, asked: Asked, by: Actor): Promise<number> {
  const { indexingDate, isDirectory, deleteTag: remove, tagToApply: tags, ...filters } = asked
  await writableSnapshot(db, indexingDate, isDirectory ? 'folder' : 'file')
  return queueTagging({ db }, TagPayload.parse({ tags, remove, isDirectory, filters }), by)
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
