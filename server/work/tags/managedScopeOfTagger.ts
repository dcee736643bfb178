import { may } from '#events/contract/needs.ts'
import { type LimitedScope, managedScopeOf } from '#server/platform/callers/scope.ts'
import type { Caller } from '#server/platform/http/route.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { Problem } from '#server/platform/problem.ts'

/**
 * The projects in which the caller may tag, as one of their managers; undefined for callers with the role, who tag everything that they
 * see. Throws 403 for other callers. As for changes of projects, the roles of an API token are all that it may do.
 */
export async function managedScopeOfTagger(db: Db, by: Caller): Promise<LimitedScope | undefined> {
  if (may(by.roles, 'entries.tag')) return undefined
  const managed = by.tokenId === null ? await managedScopeOf(db, by.id) : undefined
  if (managed && managed.projects.length > 0) return managed
  throw new Problem(403, "You don't have permission to do this", { code: 'permission' })
}
