import { setTimeout as wait } from 'node:timers/promises'
import { agentTaskTypes } from '#events/jobs/types.ts'
import { streamNames } from '#events/streams.ts'
import { consumers, streams } from '#events/subjects.ts'
import { sql } from 'kysely'
import { ensureStreams, taskConsumers } from '#server/platform/nats/nats.ts'
import type { Platform } from '#server/platform/platform.ts'
import { type Running, runEvery } from '#server/platform/runEvery.ts'
import { type QueuedTask, sendNotice } from './dispatch.ts'

/** Milliseconds between comparisons of the queue with the waiting tasks. */
const intervalMs = 60_000
/** A task queued just now may still be on its way. */
const settledAfterMs = 5_000

/**
 * Compares the tasks waiting for agents with the work queue, at start, regularly, and after NATS was away, and sends
 * lost ones again: no task waits forever because a disk was full, or power was lost before a write.
 */
export function startRequeue(platform: Platform): Running {
  const failed = 'could not compare tasks with the queue, will retry'
  const compare = () => requeueLost(platform, Math.floor(Date.now() / intervalMs))
  const rounds = runEvery(intervalMs, compare, failed, platform.log)
  const stopping = new AbortController()
  const { signal } = stopping
  // The second time for tasks that were queued just before NATS was away. Ends with the connection.
  const compareTwice = async () => {
    await compare()
    await wait(settledAfterMs + 1_000, undefined, { signal })
    await compare()
  }
  void (async () => {
    for await (const { type } of platform.nats.connection.status())
      if (type === 'reconnect' && !signal.aborted)
        await compareTwice().catch((error: unknown) => signal.aborted || platform.log.warn({ error }, failed))
  })()
  return {
    async stop() {
      stopping.abort()
      await rounds.stop()
    },
  }
}

async function requeueLost(platform: Platform, round: number): Promise<void> {
  const { nats } = platform
  await ensureStreams(nats)
  for (const [agentId, tasks] of Map.groupBy(await openTasks(platform), ({ serverId }) => serverId)) {
    await taskConsumers(nats, agentId)
    for (const [type, ofType] of Map.groupBy(tasks, (task) => task.type)) {
      const queue = await nats.jsm.consumers.info(streams.tasks, consumers.tasks(agentId, type))
      if (queue.num_pending + queue.num_ack_pending < ofType.length) await sendAgain(platform, ofType, round)
    }
  }
}

async function sendAgain(platform: Platform, tasks: OpenTask[], round: number): Promise<void> {
  const waiting = tasks.filter(({ status, updatedAt }) => status === 'AVAILABLE' && isSettled(updatedAt))
  platform.log.warn({ tasks: waiting.map(({ id }) => id) }, 'the queue lost tasks, sending them again')
  for (const task of waiting) {
    const position = await queuedAt(platform, task)
    if (position !== undefined) await sendNotice(platform, task, position, `.${round}`)
  }
}

type OpenTask = Awaited<ReturnType<typeof openTasks>>[number]

const isSettled = (updatedAt: Date): boolean => Date.now() - updatedAt.getTime() > settledAfterMs

const openTasks = ({ db }: Platform) =>
  db
    .selectFrom('tasks')
    .select(['id', 'jobId', 'serverId', 'type', 'status', 'updatedAt'])
    .where('type', 'in', agentTaskTypes)
    .where('status', 'in', ['AVAILABLE', 'RUNNING'])
    .orderBy('id')
    .$narrowType<QueuedTask>()
    .execute()

/**
 * The position of the event that queued the task last. An agent that has the task already recognizes it by that number.
 */
async function queuedAt({ db }: Platform, { id, jobId }: QueuedTask): Promise<number | undefined> {
  const { position } = await db
    .selectFrom('events')
    .select(({ fn }) => fn.max('position').as('position'))
    .where('stream', '=', streamNames.job(jobId))
    .where(({ or, and, eb }) =>
      or([
        eb('type', '=', 'JobQueued'),
        and([eb('type', 'in', ['TaskResumed', 'TaskLost']), sql<boolean>`(data->>'taskId')::bigint = ${id}`]),
      ]),
    )
    .executeTakeFirstOrThrow()
  return position ?? undefined
}
