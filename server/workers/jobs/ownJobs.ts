import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Role, may } from '#events/contract/needs.ts'
import type { JobRow } from '#events/jobs/calls.ts'
import { limitsKey, type Scope, wholeStorages } from '#server/platform/callers/scope.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { notFound, Problem } from '#server/platform/problem.ts'

/** Someone who may see jobs. */
export type JobViewer = { id: number; roles: readonly Role[]; scope: Scope }

/**
 * Jobs that someone sees, unless it is all of them: those launched by a user; or with limits, those counted within the same limits, and
 * scans of storages that are visible as a whole.
 */
export type JobSight = { userId: number } | { limits: string; storages: number[] }

/** Undefined for all jobs, such as for wall displays, whose id is 0. */
export function sightOf({ id, roles, scope }: JobViewer): JobSight | undefined {
  const limits = limitsKey(id, scope)
  if (scope !== 'everything' && limits !== null) return { limits, storages: wholeStorages(scope) }
  return id === 0 || may(roles, 'jobs.seeAll') ? undefined : { userId: id }
}

/** Condition on rows of `jobs`. */
export function showsJob(sight: JobSight | undefined): RawBuilder<SqlBool> {
  if (!sight) return sql`true`
  if ('userId' in sight) return sql`jobs.user_id = ${sight.userId}`
  return sql`(${isOwn(sight)} OR (jobs.type LIKE 'SCAN%' AND EXISTS (SELECT FROM tasks WHERE job_id = jobs.id) AND NOT EXISTS (
    SELECT FROM tasks LEFT JOIN jsonb_array_elements_text(tasks.payload -> 'volumes') AS scanned (volume_id) ON true
    WHERE tasks.job_id = jobs.id AND (volume_id::integer = any(${sight.storages}::integer[])) IS NOT TRUE)))`
}

/** Condition on rows of `jobs`: the user may control those that they see. */
export const isOwn = (sight: JobSight | undefined): RawBuilder<SqlBool> =>
  sight && 'limits' in sight ? sql`jobs.limits = ${sight.limits}` : showsJob(sight)

/** Same as `showsJob` for a row of a list, except that no scan of more storages than the row names is shown. */
export function showsRow(sight: JobSight | undefined, job: JobRow): boolean {
  if (!sight) return true
  if ('userId' in sight) return job.userId === sight.userId
  const { storages, storageCount } = job
  const isWhole = storages.length === storageCount && storages.every(({ id }) => sight.storages.includes(id))
  return job.limits === sight.limits || (storageCount > 0 && isWhole)
}

/** Returns whether a job exists and is seen. */
export async function isSeen(db: Db | Trx, jobId: number, sight: JobSight | undefined): Promise<boolean> {
  const job = db.selectFrom('jobs').select('id').where('id', '=', jobId).where(showsJob(sight))
  return (await job.executeTakeFirst()) !== undefined
}

/** Throws 404 for a job that the caller doesn't see: the response is the same as for a missing job. */
export async function checkSeen(db: Db, jobId: number, by: JobViewer): Promise<void> {
  if (!(await isSeen(db, jobId, sightOf(by)))) notFound('job', jobId)
}

/** Same for a job that is changed; throws 403 for one that the caller only sees. */
export async function checkOwn(db: Db, jobId: number, by: JobViewer): Promise<void> {
  await checkSeen(db, jobId, by)
  const job = db
    .selectFrom('jobs')
    .select('id')
    .where('id', '=', jobId)
    .where(isOwn(sightOf(by)))
  if (!(await job.executeTakeFirst()))
    throw new Problem(403, 'Only your own jobs can be changed', { code: 'permission' })
}
