import { isOpen, jobStatuses, type Task } from '#events/jobs.ts'
import type { Actor, Trx } from '#server/platform/eventLog.ts'
import { changeHeld } from './changeHeld.ts'
import { giveUpTask } from './decide.ts'
import type { TaskRunners } from './taskRunner.ts'

type End = { agentId: number; reason: string; by: Actor }

const openStatuses = jobStatuses.filter((status) => isOpen({ status }))

/**
 * Ends what an agent has or had still to do, as nobody will take it up again; what needs no agent any more goes on. Returns
 * what ended: `tellOf` it once the transaction is over.
 */
export async function endTasksOfAgent(trx: Trx, runners: TaskRunners, { agentId, reason, by }: End): Promise<Task[]> {
  const jobs = await trx
    .selectFrom('tasks')
    .select('jobId')
    .distinct()
    .where('serverId', '=', agentId)
    .where('status', 'in', openStatuses)
    .orderBy('jobId')
    .execute()
  const at = new Date().toISOString()
  const ended: Task[] = []
  for (const { jobId } of jobs) {
    const changed = await changeHeld(trx, runners, { jobId, by }, (job, tooFar) =>
      job.tasks
        .filter(({ id, serverId }) => serverId === agentId && !tooFar.includes(id))
        .flatMap(({ id }) => giveUpTask(job, id, reason, at)),
    )
    ended.push(...changed)
  }
  return ended
}
