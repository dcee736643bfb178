import type { Job, JobEvent } from '#events/jobs/events.ts'
import { type AgentTaskType, agentTaskTypes } from '#events/jobs/types.ts'
import { taskLeaseMs } from '#events/tasks.ts'
import { giveUpTask, loseTask } from '#server/workers/jobs/index.ts'
import { system } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import { type Running, runEvery, type ItemLoop, newItemLoop } from '#server/platform/runEvery.ts'
import { changeTasks } from './changeTasks.ts'
import type { Leases } from './presence.ts'
import type { TaskHandlers } from './taskHandler.ts'

/** Milliseconds between checks for expired leases. */
const defaultIntervalMs = 2_000

/** Expired leases until a task is abandoned: its agent seems to hang at the same place each time. */
export const maxLapses = 3

/**
 * Queues tasks again whose agents fell silent, with their progress so far, and gives up those lost too often. The
 * dispatch sends the notice when it reads the event in the log.
 */
export function startLeases(
  platform: Platform,
  handlers: TaskHandlers,
  leases: Leases,
  everyMs = defaultIntervalMs,
): Running {
  const each = newItemLoop(platform.log, 'could not take back a task of a silent agent')
  return runEvery(
    everyMs,
    () => checkLeases(platform, handlers, leases, each),
    'could not check tasks of silent agents, will retry',
    platform.log,
    5 * everyMs,
  )
}

type HeldTask = { id: number; jobId: number; attempt: number; updatedAt: Date }

/** Returns true while any task runs. */
async function checkLeases(
  platform: Platform,
  handlers: TaskHandlers,
  leases: Leases,
  each: ItemLoop,
): Promise<boolean> {
  let isBusy = false
  for (const type of agentTaskTypes) {
    const running = await runningTasks(platform, type)
    isBusy ||= running.length > 0
    const lapsed = running.filter((task) => Date.now() - lastSign(task, leases) > taskLeaseMs)
    if (lapsed.length === 0) continue
    const unfinished = await handlers[type].unfinished(lapsed.map(({ id }) => id))
    const reason = `The agent has not reported on this ${handlers[type].noun} for ${taskLeaseMs / 1_000} seconds`
    await each(
      lapsed.filter(({ id }) => unfinished.includes(id)),
      ({ id }) => `task ${id}`,
      (task) => lose(platform, handlers, task, reason),
    )
  }
  return isBusy
}

const runningTasks = ({ db }: Platform, type: AgentTaskType): Promise<HeldTask[]> =>
  db
    .selectFrom('tasks')
    .select(['id', 'jobId', 'attempt', 'updatedAt'])
    .where('type', '=', type)
    .where('status', '=', 'RUNNING')
    .orderBy('id')
    .execute()

/** A task that was just started counts from its start until the agent's next heartbeat reports it. */
const lastSign = ({ id, updatedAt }: HeldTask, leases: Leases): number =>
  Math.max(leases.lastWorkedOn(id), updatedAt.getTime())

function lose(platform: Platform, handlers: TaskHandlers, task: HeldTask, reason: string): Promise<void> {
  const at = new Date().toISOString()
  return changeTasks(platform, handlers, { jobId: task.jobId, by: system }, (job, finished) =>
    finished.includes(task.id) ? [] : lapse(job, task, reason, at),
  )
}

/** Ignores attempts other than the current one. */
function lapse(job: Job, { id: taskId, attempt }: HeldTask, reason: string, at: string): JobEvent[] {
  const task = job.tasks.find(({ id }) => id === taskId)
  if (task?.attempt !== attempt || task.status !== 'RUNNING') return []
  if (task.lapses + 1 < maxLapses) return loseTask(job, { taskId, attempt, reason }, at)
  return giveUpTask(job, taskId, `${reason}, ${maxLapses} times`, at)
}
