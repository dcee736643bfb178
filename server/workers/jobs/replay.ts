import { isDeepStrictEqual } from 'node:util'
import { type Job, evolveVersion } from '#events/jobs/events.ts'
import { type Trx, lockLog } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { type FoldedJob, projectJobs } from './project.ts'
import { type ProjectedJob, projectedJobs, projectedWithoutEvents } from './projectedJobs.ts'
import { type Place, type ReadOptions, beginning, readStreams } from './readStreams.ts'

/** A job whose projection differs from its folded events. */
export type Difference = { jobId: number; folded: Job | undefined; found: Job | undefined }

type ReplayResult = { events: number; jobs: number; differences: number }
/** `write`: rewrites differing projections. `differs` is called for each difference. */
type ReplayOptions = ReadOptions & { write: boolean; differs?: (difference: Difference) => void }

/**
 * Folds the streams of jobs and compares them with their projections. Processes the log in batches, each in its own
 * transaction, so jobs can continue meanwhile; a stream and its projection are always of the same moment.
 */
export async function replayJobs(
  db: Db,
  { write, differs = () => {}, ...reading }: ReplayOptions,
): Promise<ReplayResult> {
  const sum = { events: 0, jobs: 0, differences: 0 }
  const note = (difference: Difference) => {
    sum.differences += 1
    differs(difference)
  }
  for (let place: Place | undefined = beginning; place;) {
    const from: Place = place
    const step = await inTransaction(db, write, async (trx) => {
      const step = await readStreams(trx, from, reading)
      const differing = await compare(trx, step.folded, note)
      if (write) await rewrite(trx, differing)
      return step
    })
    sum.events += step.events
    sum.jobs += step.folded.length
    place = step.next
  }
  if (reading.stream === undefined) await inTransaction(db, write, (trx) => removeOrphans(trx, write, note))
  return sum
}

/** With `write`, blocks appends while a batch is compared and written; otherwise reads everything as of one moment. */
const inTransaction = <T>(db: Db, write: boolean, work: (trx: Trx) => Promise<T>): Promise<T> =>
  db
    .transaction()
    .setIsolationLevel(write ? 'read committed' : 'repeatable read')
    .execute(async (trx) => {
      if (write) await lockLog(trx)
      return work(trx)
    })

/** Returns the jobs whose projection differs. */
async function compare(trx: Trx, folded: FoldedJob[], note: (difference: Difference) => void): Promise<FoldedJob[]> {
  const found = await projectedJobs(
    trx,
    folded.map(({ job }) => job.id),
  )
  const differing = folded.filter((one) => !isProjected(one, found.get(one.job.id)))
  for (const { job } of differing) note({ jobId: job.id, folded: job, found: found.get(job.id)?.job })
  return differing
}

const isProjected = ({ job, version }: FoldedJob, found: ProjectedJob | undefined): boolean =>
  found?.version === version &&
  found.evolveVersion === evolveVersion &&
  // As JSON, so absent and undefined are equal.
  isDeepStrictEqual(found.job, JSON.parse(JSON.stringify(job)))

async function rewrite(trx: Trx, differing: FoldedJob[]): Promise<void> {
  if (differing.length === 0) return
  const ids = differing.map(({ job }) => job.id)
  await trx.deleteFrom('tasks').where('jobId', 'in', ids).execute()
  await projectJobs(trx, differing)
}

async function removeOrphans(trx: Trx, write: boolean, note: (difference: Difference) => void): Promise<void> {
  for (const { job } of await projectedWithoutEvents(trx)) {
    note({ jobId: job.id, folded: undefined, found: job })
    if (write) await trx.deleteFrom('jobs').where('id', '=', job.id).execute()
  }
}

/** Folds the whole log and returns every job whose projection differs. */
export async function compareJobs(db: Db): Promise<{ events: number; jobs: number; differences: Difference[] }> {
  const differences: Difference[] = []
  const replayed = await replayJobs(db, { write: false, differs: (difference) => differences.push(difference) })
  return { ...replayed, differences }
}

/**
 * At start, and when no earlier version runs any more: rebuilds the projections written by an earlier version of `evolve`. Those of a
 * newer one are kept.
 */
export async function rebuildOutdatedJobs(db: Db): Promise<boolean> {
  const outdated = await db
    .selectFrom('jobs')
    .select('id')
    .where('evolveVersion', '<', evolveVersion)
    .executeTakeFirst()
  if (outdated) await replayJobs(db, { write: true })
  return outdated !== undefined
}
