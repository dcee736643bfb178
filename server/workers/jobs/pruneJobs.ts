import { jobStreamPrefix, streamNames } from '#events/streams.ts'
import { sql } from 'kysely'
import { endedStatuses } from '#events/jobs/states.ts'
import { configuredNumber } from '#server/access/configurations/index.ts'
import { whileClockIsPlausible } from '#server/platform/clock.ts'
import { record } from '#server/platform/log/audit.ts'
import { deleteEvents, type Trx, lockLog, system } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { type Running, runEvery } from '#server/platform/runEvery.ts'
import { inTransaction } from '#server/platform/postgres/inTransaction.ts'

/** Milliseconds. */
const intervalMs = 60 * 60_000
const day = 24 * 60 * 60_000

/** Jobs per transaction; it blocks all other appends. */
const jobsAtOnce = 200

/** Summary of pruned jobs, in the stream `job-retention`. */
export type JobsPruned = {
  type: 'JobsPruned'
  jobs: number
  events: number
  /** Number of jobs by type and status. */
  counts: { type: string; status: string; jobs: number }[]
  ids: { from: number; to: number }
  /** From the start of the first one to the end of the last one. */
  times: { from: string; to: string }
}

/** Every hour, prunes the jobs that ended more than `jobRetention` days ago. */
export const startRetention = ({ db, live, log }: Pick<Platform, 'db' | 'live' | 'log'>): Running =>
  runEvery(
    intervalMs,
    () =>
      whileClockIsPlausible(db, async () => {
        const days = await configuredNumber(db, 'jobRetention')
        const jobs = await pruneJobs(db, new Date(Date.now() - days * day))
        if (jobs > 0) live({ type: 'changed', topics: ['jobs'] })
      }),
    'could not prune old jobs, will retry',
    log,
  )

/** Prunes all jobs that ended before a moment, and returns their number. */
export async function pruneJobs(db: Db, before: Date): Promise<number> {
  let all = 0
  for (;;) {
    const pruned = await inTransaction(db, (trx) => pruneSome(trx, before))
    all += pruned
    if (pruned < jobsAtOnce) return all
  }
}

/**
 * Streams and projections are deleted together with appending the event that sums them up, so that a replay matches.
 */
async function pruneSome(trx: Trx, before: Date): Promise<number> {
  await lockLog(trx)
  const jobs = await jobsOver(trx, before)
  if (jobs.length === 0) return 0
  const ids = jobs.map(({ id }) => id)
  const deleted = await deleteEvents(trx, 'job', (events) => events('stream', 'in', ids.map(streamNames.job)))
  await trx.deleteFrom('jobs').where('id', 'in', ids).execute()
  await record(trx, streamNames.jobRetention, system, summary(jobs, deleted))
  return jobs.length
}

/** Jobs that ended before the moment and whose events every follower of the log has handled. */
const jobsOver = (trx: Trx, before: Date) =>
  trx
    .selectFrom('jobs')
    .select(['id', 'type', 'status', 'createdAt', 'updatedAt'])
    .where('status', 'in', endedStatuses)
    .where('updatedAt', '<', before)
    .where(
      sql<boolean>`NOT EXISTS (SELECT FROM events WHERE stream = ${jobStreamPrefix}::text || jobs.id
        AND position > (SELECT coalesce(min(position), ${Number.MAX_SAFE_INTEGER}) FROM followers))`,
    )
    .orderBy('id')
    .limit(jobsAtOnce)
    .execute()

type PrunableJobs = Awaited<ReturnType<typeof jobsOver>>

function summary(jobs: PrunableJobs, events: number): JobsPruned {
  const counts = new Map<string, JobsPruned['counts'][number]>()
  for (const { type, status } of jobs) {
    const count = counts.get(`${type} ${status}`) ?? { type, status, jobs: 0 }
    counts.set(`${type} ${status}`, { ...count, jobs: count.jobs + 1 })
  }
  const ids = jobs.map(({ id }) => id)
  const begun = Math.min(...jobs.map(({ createdAt }) => createdAt.getTime()))
  const ended = Math.max(...jobs.map(({ updatedAt }) => updatedAt.getTime()))
  return {
    type: 'JobsPruned',
    jobs: jobs.length,
    events,
    counts: [...counts.values()],
    ids: { from: Math.min(...ids), to: Math.max(...ids) },
    times: { from: new Date(begun).toISOString(), to: new Date(ended).toISOString() },
  }
}
