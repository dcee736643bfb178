import { type Role, may } from '#events/contract/needs.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { notFound } from '#server/platform/problem.ts'

type JobViewer = { id: number; roles: readonly Role[] }

/** The only user whose jobs someone may see; undefined if they may see all, like wall displays, whose id is 0. */
export const ownerSeenBy = ({ id, roles }: JobViewer): number | undefined =>
  id === 0 || may(roles, 'jobs.seeAll') ? undefined : id

export async function isOwnJob(db: Db, jobId: number, userId: number): Promise<boolean> {
  const job = await db.selectFrom('jobs').select('userId').where('id', '=', jobId).executeTakeFirst()
  return job?.userId === userId
}

/**
 * Throws 404 for a job of another user, unless the caller may see all jobs: the response is the same as for a missing
 * job.
 */
export async function checkOwn(db: Db, jobId: number, by: JobViewer): Promise<void> {
  const owner = ownerSeenBy(by)
  if (owner !== undefined && !(await isOwnJob(db, jobId, owner))) notFound('job', jobId)
}
