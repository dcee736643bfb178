import { jobStreamPrefix } from '#events/streams.ts'
import { type Selectable, sql } from 'kysely'
import type { Job, Task } from '#events/jobs/events.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Tables } from '#server/platform/postgres/tables.ts'
import { plainTask, plainTimes } from './plainRows.ts'

/** A job according to its rows, and the versions they were folded with. */
export type ProjectedJob = { job: Job; version: number; evolveVersion: number }

/** The projections of these jobs, by their numbers. */
export async function projectedJobs(trx: Trx, ids: number[]): Promise<Map<number, ProjectedJob>> {
  if (ids.length === 0) return new Map()
  // A single parameter for any number of ids.
  const rows = await trx.selectFrom('jobs').selectAll().where('id', '=', anyOf(ids)).execute()
  return new Map((await withTasks(trx, rows)).map((projected) => [projected.job.id, projected]))
}

/** Projections without events in the log. */
export async function projectedWithoutEvents(trx: Trx): Promise<ProjectedJob[]> {
  const known = sql<boolean>`EXISTS (SELECT FROM events WHERE events.stream = ${jobStreamPrefix}::text || jobs.id)`
  const rows = await trx
    .selectFrom('jobs')
    .selectAll()
    .where(({ not }) => not(known))
    .execute()
  return withTasks(trx, rows)
}

async function withTasks(trx: Trx, rows: Selectable<Tables['jobs']>[]): Promise<ProjectedJob[]> {
  const ids = rows.map(({ id }) => id)
  const tasks = await trx.selectFrom('tasks').selectAll().where('jobId', '=', anyOf(ids)).orderBy('id').execute()
  const byJob = new Map<number, Task[]>(ids.map((id) => [id, []]))
  for (const task of tasks) byJob.get(task.jobId)?.push(plainTask(task))
  return rows.map(({ version, evolveVersion, userId: _, limits: __, ...row }) => {
    const job = { ...plainTimes(row), tasks: byJob.get(row.id) ?? [] }
    return { job, version, evolveVersion }
  })
}

const anyOf = (ids: number[]) => sql<number>`ANY(${ids}::bigint[])`
