import { sql } from 'kysely'
import type { TagPayload } from '#events/job-payloads.ts'
import type { JobEvent } from '#events/jobs.ts'
import { follow } from '#server/platform/follow.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres.ts'
import { runTagTask } from './runTagTask.ts'

/** How often it is looked for what a server that ended left, and for what is to be tried again. Milliseconds. */
const lookEvery = 5_000

/** The advisory lock under which one replica at a time tags results of searches. */
const tagJobsLock = 7_403_010

/** Runs the jobs that tag results of searches, one after another in their order, whichever replica queued them. */
export function startTagJobs(platform: Platform): { stop(): Promise<void> } {
  const { db, log } = platform
  let stopping = false
  let waiting = false
  let running = Promise.resolve()
  const failed = (error: unknown) => log.warn({ error }, 'A search could not be tagged; it is tried again')
  const look = () => {
    if (waiting) return
    waiting = true
    running = running.then(async () => {
      waiting = false
      if (!stopping) await runOpen(platform, () => stopping).catch(failed)
    })
  }
  const follower = follow(db, 'tag-jobs', async ({ event }) => void (isForUs(event) && look()), failed)
  const timer = setInterval(look, lookEvery)
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

const isForUs = (event: { type: string }): boolean =>
  event.type === 'TaskResumed' ||
  (event.type === 'TaskQueued' && (event as Extract<JobEvent, { type: 'TaskQueued' }>).taskType === 'TAG_ENTRIES')

/** Under a lock of the connection: when this server dies, another may go on. */
const runOpen = (platform: Platform, isOver: () => boolean): Promise<void> =>
  platform.db.connection().execute(async (held) => {
    const { rows } = await sql<{ free: boolean }>`SELECT pg_try_advisory_lock(${tagJobsLock}) AS free`.execute(held)
    if (!rows[0]?.free) return
    try {
      for (let task = await nextTask(held); task && !isOver(); task = await nextTask(held))
        await runTagTask(platform, task, isOver)
    } finally {
      await sql`SELECT pg_advisory_unlock(${tagJobsLock})`.execute(held).catch(() => undefined)
    }
  })

const nextTask = async (db: Db) => {
  const task = await db
    .selectFrom('tasks')
    .select(['id', 'jobId', 'status', 'attempt', 'lapses', 'payload'])
    .where('type', '=', 'TAG_ENTRIES')
    .where('status', 'in', ['NEW', 'AVAILABLE', 'RUNNING'])
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return task && { ...task, payload: task.payload as TagPayload }
}
