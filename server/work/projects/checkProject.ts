import { sql } from 'kysely'
import { may } from '#events/contract/needs.ts'
import { type Scope, showsProject } from '#server/platform/callers/scope.ts'
import type { Caller } from '#server/platform/http/route.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { notFound, Problem } from '#server/platform/problem.ts'

/** Throws 404 for a project that doesn't exist, or that the scope doesn't show. */
export async function checkProject(db: Db | Trx, scope: Scope, id: number): Promise<void> {
  const row = db
    .selectFrom('projects')
    .select('id')
    .where('id', '=', id)
    .where(showsProject(scope, sql`id`))
  if (!(await row.executeTakeFirst())) notFound('project', id)
}

/**
 * Throws 404 as `checkProject` does, and 403 unless the caller may edit the project: by role, or as one of its managers, with a browser.
 * The roles of an API token are all that it may do.
 */
export async function checkEditable(db: Db | Trx, { id: userId, roles, tokenId, scope }: Caller, id: number) {
  await checkProject(db, scope, id)
  if (may(roles, 'projects.edit') || (tokenId === null && (await isManager(db, userId, id)))) return
  throw new Problem(403, "You don't have permission to do this", { code: 'permission' })
}

/** Returns whether a user is a manager of a project. */
export async function isManager(db: Db | Trx, userId: number, projectId: number): Promise<boolean> {
  const row = db.selectFrom('projectManagers').select('userId').where('projectId', '=', projectId)
  return (await row.where('userId', '=', userId).executeTakeFirst()) !== undefined
}
