import { sql } from 'kysely'
import type { JobDetails, JobRow } from '#events/jobs/calls.ts'
import type { Job } from '#events/jobs/events.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { plainTask, plainTimes } from './plainRows.ts'
import type { JobType } from '#events/jobs/types.ts'
import type { PageQuery } from '#events/contract/page.ts'
import { listPage } from '#server/platform/crud/listPage.ts'
import { notFound } from '#server/platform/problem.ts'

/**
 * The projections of these jobs, each with the version of its stream and its agent's name; missing jobs are left out.
 */
export async function jobRows(db: Db | Trx, ids: number[]): Promise<JobRow[]> {
  if (ids.length === 0) return []
  const rows = await selectRows(db).where('jobs.id', 'in', ids).orderBy('jobs.id').execute()
  return rows.map(plainTimes)
}

/** A job with its tasks, as shown to users. */
export async function findJobDetails(db: Db | Trx, id: number): Promise<JobDetails | undefined> {
  const [row] = await jobRows(db, [id])
  return row && { ...row, tasks: await tasksOf(db, id) }
}

/** A job with its tasks, as folded from its events. */
export async function findJob(db: Db | Trx, id: number): Promise<Job | undefined> {
  const details = await findJobDetails(db, id)
  if (!details) return undefined
  const { version: _, agentName: __, userId: ___, ...job } = details
  return job
}

/** The columns of a list's rows. */
const selectRows = (db: Db | Trx) =>
  db
    .selectFrom('jobs')
    .leftJoin('agents', (agents) => agents.onRef('agents.id', '=', 'jobs.serverId').on('agents.deletedAt', 'is', null))
    .select([
      'jobs.id',
      'jobs.type',
      'jobs.status',
      'jobs.serverId',
      'jobs.createdAt',
      'jobs.startedAt',
      'jobs.updatedAt',
      'jobs.payload',
      'jobs.result',
      'jobs.version',
      'jobs.userId',
      sql<string | null>`agents.name`.as('agentName'),
    ])

async function tasksOf(db: Db | Trx, jobId: number) {
  const tasks = await db.selectFrom('tasks').selectAll().where('jobId', '=', jobId).orderBy('id').execute()
  return tasks.map(plainTask)
}

const sortable = ['id', 'type', 'serverId', 'createdAt', 'startedAt', 'updatedAt', 'status'] as const

type JobListOptions = PageQuery & { types: JobType[]; of: number | undefined }

/**
 * A page of the jobs launched by a user, of the given types or of all types if the list is empty; newest first by
 * default.
 */
export const listJobs = (db: Db, { types, of, ...query }: JobListOptions) =>
  listPage(
    db,
    selectRows(db)
      .$if(types.length > 0, (some) => some.where('jobs.type', 'in', types))
      .$if(of !== undefined, (own) => own.where('jobs.userId', '=', of ?? null)),
    query,
    { sortable, sort: 'id', direction: 'desc' },
    plainTimes,
  )

/** A page of a job's tasks, sorted by number by default. */
export async function listTasks(db: Db, jobId: number, query: PageQuery) {
  const job = await db.selectFrom('jobs').select('id').where('id', '=', jobId).executeTakeFirst()
  if (!job) return notFound('job', jobId)
  const ofJob = db.selectFrom('tasks').where('jobId', '=', jobId).selectAll()
  return listPage(db, ofJob, query, { sortable, sort: 'id' }, plainTask)
}
