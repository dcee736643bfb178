import { sql } from 'kysely'
import type { JobEvent } from '#events/jobs/events.ts'
import type { TaskPayloadOf } from '#events/jobs/payloads.ts'
import type { ServerTaskType } from '#events/jobs/types.ts'
import { follow } from '#server/platform/log/follow.ts'
import { standsBack } from '#server/platform/log/standBack.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { Running } from '#server/platform/runEvery.ts'
import { runTask, TaskError } from './runTask.ts'
import type { ServerTaskHandler } from './taskHandler.ts'

/** Milliseconds between checks for tasks left by ended servers, and for retries. */
const defaultIntervalMs = 15_000

/** Second number of the advisory locks under which one replica at a time runs the tasks of a type, or starts a task. */
const workerLock = 7_403_010

/**
 * Runs the tasks of a type in the server itself, one after another in order, from any replica of the newest version that
 * runs.
 */
export function startServerWorker<T extends ServerTaskType>(
  platform: Platform,
  type: T,
  handler: ServerTaskHandler<T>,
  lookEveryMs = defaultIntervalMs,
): Running {
  const { db, log } = platform
  let stopping = false
  let waiting = false
  let running = Promise.resolve()
  const failed = (error: unknown) => {
    const { task, cause } = error instanceof TaskError ? error : { task: {}, cause: error }
    log.warn({ error: cause, type, ...task }, 'task failed, will retry')
  }
  const look = () => {
    if (waiting || standsBack()) return
    waiting = true
    running = running.then(async () => {
      waiting = false
      if (!stopping) await runOpen(platform, type, handler, () => stopping).catch(failed)
    })
  }
  const follower = follow(db, handler.consumer, async ({ event }) => void (isQueued(event, type) && look()), failed)
  const timer = setInterval(look, lookEveryMs)
  look()
  return {
    async stop() {
      stopping = true
      clearInterval(timer)
      await follower.stop()
      await running
    },
  }
}

const isQueued = (event: { type: string }, type: ServerTaskType): boolean =>
  event.type === 'TaskResumed' ||
  (event.type === 'TaskQueued' && (event as Extract<JobEvent, { type: 'TaskQueued' }>).taskType === type)

async function runOpen<T extends ServerTaskType>(
  platform: Platform,
  type: T,
  handler: ServerTaskHandler<T>,
  isStopping: () => boolean,
): Promise<void> {
  // Most looks find nothing, and then need no turn.
  if (!(await nextTask(platform.db, type))) return
  await inTurn(platform.db, type, async (held) => {
    for (let task = await nextTask(held, type); task && !isStopping(); task = await nextTask(held, type))
      await runTask(platform, handler, task, isStopping)
  })
}

/**
 * Runs work in the turn of a task type, or of one task, while no server has that turn; if one has it, returns undefined.
 * The turn is a lock of the connection, released when this server dies: then another one continues.
 */
export const inTurn = <T>(db: Db, name: string, work: (held: Db) => Promise<T>): Promise<T | undefined> =>
  db.connection().execute(async (held) => {
    const { rows } = await sql<{ free: boolean }>`
      SELECT pg_try_advisory_lock(hashtext(${name}), ${workerLock}) AS free`.execute(held)
    if (!rows[0]?.free) return undefined
    try {
      return await work(held)
    } finally {
      await sql`SELECT pg_advisory_unlock(hashtext(${name}), ${workerLock})`.execute(held).catch(() => undefined)
    }
  })

async function nextTask<T extends ServerTaskType>(db: Db, type: T) {
  const task = await db
    .selectFrom('tasks')
    .select(['id', 'jobId', 'status', 'attempt', 'lapses', 'payload'])
    .where('type', '=', type)
    .where('status', 'in', ['NEW', 'AVAILABLE', 'RUNNING'])
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return task && { ...task, payload: task.payload as TaskPayloadOf<T> }
}
