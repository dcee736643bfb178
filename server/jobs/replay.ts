import { isDeepStrictEqual } from 'node:util'
import { type Job, type JobEvent, evolve, evolveVersion } from '#events/jobs.ts'
import { readLog } from '#server/platform/eventLog.ts'
import type { Db } from '#server/platform/postgres.ts'
import { projectJob } from './project.ts'
import { findJob } from './readJobs.ts'

/** A job whose projection is not what its events make of it. */
export type Difference = { jobId: number; folded: Job | undefined; found: Job | undefined }

type Folded = { job: Job; version: number }
const pageSize = 5_000

/** Folds the whole log anew and compares it with the projections of jobs and tasks. */
export const compareJobs = (db: Db): Promise<{ events: number; jobs: number; differences: Difference[] }> =>
  db.transaction().setIsolationLevel('repeatable read').execute(compare)

async function compare(db: Db) {
  const { folded, events } = await foldLog(db)
  const differences: Difference[] = []
  for (const [jobId, { job }] of folded) {
    const found = await findJob(db, jobId)
    if (!isDeepStrictEqual(plain(found), plain(job))) differences.push({ jobId, folded: job, found })
  }
  const rows = await db.selectFrom('jobs').select('id').execute()
  for (const { id } of rows.filter(({ id }) => !folded.has(id)))
    differences.push({ jobId: id, folded: undefined, found: await findJob(db, id) })
  return { events, jobs: folded.size, differences }
}

/** Writes the projections of jobs and tasks anew from the log, in one transaction. */
export const rebuildJobs = (db: Db): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const { folded } = await foldLog(trx)
    await trx.deleteFrom('jobs').execute()
    for (const { job, version } of folded.values()) await projectJob(trx, job, version)
  })

/** Rebuilds at start when another version of `evolve` wrote the projections. */
export async function rebuildOutdatedJobs(db: Db): Promise<boolean> {
  const outdated = await db
    .selectFrom('jobs')
    .select('id')
    .where('evolveVersion', '!=', evolveVersion)
    .executeTakeFirst()
  if (outdated) await rebuildJobs(db)
  return outdated !== undefined
}

async function foldLog(db: Parameters<typeof readLog>[0]): Promise<{ folded: Map<number, Folded>; events: number }> {
  const folded = new Map<number, Folded>()
  let events = 0
  for (let after = 0; ;) {
    const page = await readLog<JobEvent>(db, after, pageSize)
    for (const { stream, event, version } of page) {
      if (!stream.startsWith('job-')) continue
      const jobId = Number(stream.slice('job-'.length))
      folded.set(jobId, { job: evolve(folded.get(jobId)?.job, event), version })
    }
    events += page.length
    const last = page.at(-1)
    if (!last || page.length < pageSize) return { folded, events }
    after = last.position
  }
}

/** As JSON has it, so that absent and undefined are one. */
const plain = (job: Job | undefined): unknown => (job ? JSON.parse(JSON.stringify(job)) : undefined)
