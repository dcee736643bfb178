import type { TagPayload } from '#events/job-payloads.ts'
import type { Job, JobEvent, Task } from '#events/jobs.ts'
import { changeJob, endTask, failTask, giveUpTask, loseTask, progressTask, startTask } from '#server/jobs/index.ts'
import { system } from '#server/platform/eventLog.ts'
import { wakeFollowers } from '#server/platform/follow.ts'
import type { Platform } from '#server/platform/platform.ts'
import { Problem } from '#server/platform/problem.ts'
import { tagResults } from './tagResults.ts'

type TagTask = Pick<Task, 'id' | 'status' | 'attempt' | 'lapses'> & { jobId: number; payload: TagPayload }

/** A task that fails or kills its server this often is given up. */
const mostLapses = 5

/**
 * Does a task that is open, from its beginning: what an earlier attempt did is not done again. Throws when it could not
 * be done and is to be tried again.
 */
export async function runTagTask(platform: Platform, task: TagTask, isOver: () => boolean): Promise<void> {
  const attempt = task.attempt + 1
  const change = (decide: Decide) => changeTask(platform, { ...task, attempt }, decide)
  // While the store is away, no attempt is wasted.
  await platform.clickhouse.ping()
  // Only one server works on such tasks at a time: one that is said to run was left.
  if (task.status === 'RUNNING' && !(await changeTask(platform, task, (job, at) => takeBack(job, task, at)))) return
  if (!(await changeTask(platform, task, (job, at) => startTask(job, task.id, attempt, at)))) return
  try {
    const result = await tagResults(platform, task.payload, async (reached) => {
      return (await change((job, at) => progressTask(job, task.id, reached, at))) && !isOver()
    })
    if (result.tagged === result.toTag) await change((job, at) => endTask(job, task.id, result, at))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    await change((job, at) => failTask(job, task.id, error.message, at))
  }
}

/** The task is queued again, or given up. */
function takeBack(job: Job, { id: taskId, attempt, lapses }: TagTask, at: string): JobEvent[] {
  const reason = 'The server ended, or a store failed, in the middle of it'
  if (lapses + 1 < mostLapses) return loseTask(job, { taskId, attempt, reason }, at)
  return giveUpTask(job, taskId, `It was begun ${mostLapses} times and never came to its end`, at)
}

type Decide = (job: Job, at: string) => JobEvent[]

/**
 * Changes the job and tells every browser; whether this attempt is still to be worked on. Nothing changes when it is not the
 * last one: another server has taken over from one that seemed to have ended.
 */
async function changeTask(
  { db, live }: Platform,
  { id, jobId, attempt }: Pick<TagTask, 'id' | 'jobId' | 'attempt'>,
  decide: Decide,
): Promise<boolean> {
  const at = new Date().toISOString()
  const lastOf = ({ tasks }: Job) => tasks.find((task) => task.id === id)
  let isLast = false
  const { job } = await db.transaction().execute((trx) =>
    changeJob(trx, jobId, system, (before) => {
      isLast = lastOf(before)?.attempt === attempt
      return isLast ? decide(before, at) : []
    }),
  )
  wakeFollowers()
  live({ type: 'changed', topics: ['tags', 'jobs'] })
  const status = lastOf(job)?.status
  return isLast && (status === 'AVAILABLE' || status === 'RUNNING')
}
