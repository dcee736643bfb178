import { type Job, type JobEvent, type Task, type TaskType, taskTypes } from '#events/jobs.ts'
import type { Actor, Trx } from '#server/platform/eventLog.ts'
import { changeJob } from './changeJob.ts'
import type { TaskRunners } from './taskRunner.ts'

type Decide = (job: Job, tooFar: readonly number[]) => JobEvent[]

/**
 * Changes a job together with what its tasks have beside it, whose rows are held first; `tooFar` are tasks that cannot be
 * stopped any more. Returns the tasks that changed: `tellOf` them once the transaction is over.
 */
export async function changeHeld(
  trx: Trx,
  runners: TaskRunners,
  { jobId, by }: { jobId: number; by: Actor },
  decide: Decide,
): Promise<Task[]> {
  const tooFar: number[] = []
  for (const type of taskTypes) tooFar.push(...(await runners[type].hold(trx, jobId)))
  const { job, events } = await changeJob(trx, jobId, by, (job) => decide(job, tooFar))
  const touched = new Set(events.map((event) => 'taskId' in event && event.taskId))
  const changed = job.tasks.filter(({ id }) => touched.has(id))
  for (const [type, tasks] of byType(changed)) await runners[type].write(trx, tasks, by.name)
  return changed
}

/** Tells whoever works on them. */
export function tellOf(runners: TaskRunners, changed: Task[]): void {
  for (const [type, tasks] of byType(changed)) runners[type].tell(tasks)
}

const byType = (tasks: Task[]): Map<TaskType, Task[]> => Map.groupBy(tasks, ({ type }) => type)
