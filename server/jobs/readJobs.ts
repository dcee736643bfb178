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

/** The projection of these jobs, each with the version of its stream and its agent's name; missing ones are left out. */
export async function jobRows(db: Db | Trx, ids: number[]): Promise<JobRow[]> {
  if (ids.length === 0) return []
  const rows = await selectRows(db).where('jobs.id', 'in', ids).orderBy('jobs.id').execute()
  return rows.map(plainTimes)
}

/** A job with its tasks, as it is shown. */
export async function findJobDetails(db: Db | Trx, id: number): Promise<JobDetails | undefined> {
  const [row] = await jobRows(db, [id])
  return row && { ...row, tasks: await tasksOf(db, id) }
}

/** A job with its tasks, as its events make it. */
export async function findJob(db: Db | Trx, id: number): Promise<Job | undefined> {
  const details = await findJobDetails(db, id)
  if (!details) return undefined
  const { version: _, agentName: __, userId: ___, ...job } = details
  return job
}

/** What the rows of a list are made of. */
export const selectRows = (db: Db | Trx) =>
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

type ListedJobs = PageQuery & { types: JobType[]; of: number | undefined }

/** A page of the jobs of these types, or of all when none is named, that a user launched; newest first unless asked otherwise. */
export const listJobs = (db: Db, { types, of, ...query }: ListedJobs) =>
  listPage(
    db,
    selectRows(db)
      .$if(types.length > 0, (some) => some.where('jobs.type', 'in', types))
      .$if(of !== undefined, (own) => own.where('jobs.userId', '=', of ?? null)),
    query,
    { sortable, sort: 'id', direction: 'desc' },
    plainTimes,
  )

/** A page of a job's tasks, in their order unless asked otherwise. */
export async function listTasks(db: Db, jobId: number, query: PageQuery) {
  const job = await db.selectFrom('jobs').select('id').where('id', '=', jobId).executeTakeFirst()
  if (!job) return notFound('job', jobId)
  const ofJob = db.selectFrom('tasks').where('jobId', '=', jobId).selectAll()
  return listPage(db, ofJob, query, { sortable, sort: 'id' }, plainTask)
}
