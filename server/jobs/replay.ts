import { isDeepStrictEqual } from 'node:util'
import { type Job, evolveVersion } from '#events/jobs/events.ts'
import { type Trx, lockLog } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { type FoldedJob, projectJobs } from './project.ts'
import { type ProjectedJob, projectedJobs, projectedWithoutEvents } from './projectedJobs.ts'
import { type Place, type Reading, beginning, readStreams } from './readStreams.ts'

/** A job whose projection is not what its events make of it. */
export type Difference = { jobId: number; folded: Job | undefined; found: Job | undefined }

type Replayed = { events: number; jobs: number; differences: number }
/** `write`: what differs is written anew. `differs` is told of each difference. */
type Replaying = Reading & { write: boolean; differs?: (difference: Difference) => void }

/**
 * Folds the streams of jobs anew and compares them with their projections. Goes through the log in pieces, each in a
 * transaction of its own, so that jobs go on meanwhile; a stream and its projection are always of one moment.
 */
export async function replayJobs(db: Db, { write, differs = () => {}, ...reading }: Replaying): Promise<Replayed> {
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

/** Nobody appends while a piece is compared and written; who only looks sees everything as of one moment. */
const inTransaction = <T>(db: Db, write: boolean, work: (trx: Trx) => Promise<T>): Promise<T> =>
  db
    .transaction()
    .setIsolationLevel(write ? 'read committed' : 'repeatable read')
    .execute(async (trx) => {
      if (write) await lockLog(trx)
      return work(trx)
    })

/** The jobs whose projection differs. */
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
  // As JSON has it, so that absent and undefined are one.
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

/** Folds the whole log anew and names every job whose projection differs. */
export async function compareJobs(db: Db): Promise<{ events: number; jobs: number; differences: Difference[] }> {
  const differences: Difference[] = []
  const replayed = await replayJobs(db, { write: false, differs: (difference) => differences.push(difference) })
  return { ...replayed, differences }
}

/** Rebuilds at start when another version of `evolve` wrote projections. */
export async function rebuildOutdatedJobs(db: Db): Promise<boolean> {
  const outdated = await db
    .selectFrom('jobs')
    .select('id')
    .where('evolveVersion', '!=', evolveVersion)
    .executeTakeFirst()
  if (outdated) await replayJobs(db, { write: true })
  return outdated !== undefined
}
