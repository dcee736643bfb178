import type { TagPayload } from '#events/job-payloads.ts'
import { type Job, type JobEvent, isOpen } from '#events/jobs.ts'
import { changeJob, endTask, failTask, progressTask, startTask } from '#server/jobs/index.ts'
import { system } from '#server/platform/eventLog.ts'
import { wakeFollowers } from '#server/platform/follow.ts'
import type { Platform } from '#server/platform/platform.ts'
import { Problem } from '#server/platform/problem.ts'
import { tagResults } from './tagResults.ts'

type TagTask = { id: number; jobId: number; attempt: number; payload: TagPayload }

/** A task that fails or kills its server this often is given up. */
const mostAttempts = 5

/**
 * Does a task that is open, from its beginning: what an earlier attempt did is not done again. Throws when it could not
 * be done and is to be tried again.
 */
export async function runTagTask(platform: Platform, task: TagTask, isOver: () => boolean): Promise<void> {
  const change = (decide: (job: Job, at: string) => JobEvent[]) => changeTask(platform, task, decide)
  if (task.attempt >= mostAttempts) {
    const reason = `It was begun ${mostAttempts} times and never came to its end`
    return void (await change((job, at) => failTask(job, task.id, reason, at)))
  }
  // While the store is away, no attempt is wasted.
  await platform.clickhouse.ping()
  await change((job, at) => startTask(job, task.id, task.attempt + 1, at))
  try {
    const result = await tagResults(platform, task.payload, async (reached) => {
      const isWanted = await change((job, at) => progressTask(job, task.id, reached, at))
      return isWanted && !isOver()
    })
    if (result.tagged === result.toTag) await change((job, at) => endTask(job, task.id, result, at))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    await change((job, at) => failTask(job, task.id, error.message, at))
  }
}

/** Changes the job and tells every browser; whether the task is still open. */
async function changeTask(
  { db, live }: Platform,
  { id, jobId }: TagTask,
  decide: (job: Job, at: string) => JobEvent[],
): Promise<boolean> {
  const at = new Date().toISOString()
  const job = await db.transaction().execute((trx) => changeJob(trx, jobId, system, (job) => decide(job, at)))
  wakeFollowers()
  live({ type: 'changed', topics: ['tags', 'jobs'] })
  return job.tasks.some((task) => task.id === id && isOpen(task))
}
