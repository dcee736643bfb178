import { type Role, may } from '#events/contract/needs.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { notFound } from '#server/platform/problem.ts'

type Who = { id: number; roles: readonly Role[] }

/** Whose jobs somebody sees alone; undefined when they see all, as wall displays do, which have the id 0. */
export const ownerSeenBy = ({ id, roles }: Who): number | undefined =>
  id === 0 || may(roles, 'jobs.seeAll') ? undefined : id

/** Whether a user launched the job. */
export async function isOwnJob(db: Db, jobId: number, userId: number): Promise<boolean> {
  const job = await db.selectFrom('jobs').select('userId').where('id', '=', jobId).executeTakeFirst()
  return job?.userId === userId
}

/** Throws 404 for a job that somebody else launched, unless they may see all: it is as unknown as one that is not there. */
export async function checkOwn(db: Db, jobId: number, by: Who): Promise<void> {
  const owner = ownerSeenBy(by)
  if (owner !== undefined && !(await isOwnJob(db, jobId, owner))) notFound('job', jobId)
}
