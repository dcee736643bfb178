import { sql } from 'kysely'
import type { JobDetails, JobRow } from '#events/job-calls.ts'
import type { Job } from '#events/jobs.ts'
import type { Trx } from '#server/platform/eventLog.ts'
import type { Db } from '#server/platform/postgres.ts'
import { plainTask, plainTimes } from './plainRows.ts'

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
  const { version: _, agentName: __, ...job } = details
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
      sql<string | null>`agents.name`.as('agentName'),
    ])

async function tasksOf(db: Db | Trx, jobId: number) {
  const tasks = await db.selectFrom('tasks').selectAll().where('jobId', '=', jobId).orderBy('id').execute()
  return tasks.map(plainTask)
}
