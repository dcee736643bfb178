import { sql } from 'kysely'
import { streamNames } from '#events/streams.ts'
import { metricsRole, type Role, type TokenRole } from '#events/contract/needs.ts'
import { recordChange } from '#server/platform/log/audit.ts'
import type { Actor, Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { Problem } from '#server/platform/problem.ts'
import { countFailure } from './guessing.ts'
import { isLimited, type Scope, scopeOf } from './scope.ts'
import { type SessionUser, hash } from './session.ts'

type TokenUser = SessionUser & { tokenId: number }

/**
 * Returns the owner of the API token in a call's `Authorization` header, with those of the token's roles that the user
 * still has; the event log names the token. Records its use. Throws 401 if the token is unknown, revoked or expired or
 * its owner is disabled; 403 if it is for metrics; 429 if such a token is used too often.
 */
export async function findTokenUser(db: Db, authorization: string): Promise<TokenUser> {
  const { granted, roles, ...user } = await findToken(db, authorization)
  if (granted.includes(metricsRole))
    throw new Problem(403, 'This API token may only read metrics', { code: 'permission' })
  return { ...user, roles: commonRoles(granted, roles) }
}

/** True if the API token may read metrics: only administrators create and keep such tokens. Throws as `findTokenUser` does. */
export async function mayReadMetrics(db: Db, authorization: string): Promise<boolean> {
  const { granted, roles } = await findToken(db, authorization)
  return roles.includes('ROLE_ADMIN') && granted.some((role) => role === metricsRole || role === 'ROLE_ADMIN')
}

async function findToken(db: Db, authorization: string): Promise<TokenUser & { granted: TokenRole[] }> {
  const [, token = ''] = /^Bearer +(\S{1,200})$/i.exec(authorization) ?? []
  const found = await db
    .selectFrom('apiTokens')
    .innerJoin('users', 'users.id', 'apiTokens.userId')
    .select(['users.id', 'users.name', 'users.roles', 'apiTokens.name as tokenName', 'apiTokens.roles as granted'])
    .select(['apiTokens.id as tokenId', isLimited.as('isLimited')])
    .select(sql<boolean>`api_tokens.expires_at <= now()`.as('isExpired'))
    .select(sql<boolean>`coalesce(last_used_at, '-infinity') < now() - interval '1 minute'`.as('isStale'))
    .select(sql<boolean>`disabled_at IS NOT NULL`.as('isOwnerDisabled'))
    .where('tokenHash', '=', hash(token))
    .executeTakeFirst()
  if (!found) throw new Problem(401, 'This API token is unknown or was revoked', { code: 'token' })
  const { id, name, tokenId, tokenName, granted, roles } = found
  // An invented token has nothing to guess. An ended one is limited on its own, so no other token has to wait.
  if (found.isOwnerDisabled || found.isExpired) await countFailure(db, [{ name: `refused token ${tokenId}`, free: 50 }])
  if (found.isOwnerDisabled) throw new Problem(401, 'The owner of this API token is disabled', { code: 'token' })
  if (found.isExpired) throw new Problem(401, 'This API token has expired', { code: 'token' })
  if (found.isStale) await use(db, token)
  const scope: Scope = found.isLimited ? await scopeOf(db, id) : 'everything'
  const held = { granted, roles, mustFirst: null, isConfirmed: false, viewedBy: null, scope }
  return { id, name: `${name}, token ${tokenName}`, tokenId, ...held }
}

/** Revokes a user's API tokens and records by whom: the next calls with them are refused. */
export async function endTokens(trx: Trx, userId: number, by: Actor): Promise<void> {
  const ended = await trx
    .deleteFrom('apiTokens')
    .where('userId', '=', userId)
    .returning(['id', 'name', 'roles', 'expiresAt'])
    .execute()
  for (const { id, ...before } of ended) await recordChange(trx, streamNames.apiToken(id), by, { before })
}

/** An administrator has every role. */
const commonRoles = (granted: TokenRole[], held: Role[]): Role[] =>
  granted.filter((role) => role !== metricsRole).filter((role) => held.includes('ROLE_ADMIN') || held.includes(role))

const use = (db: Db, token: string) =>
  db
    .updateTable('apiTokens')
    .set({ lastUsedAt: sql<Date>`now()` })
    .where('tokenHash', '=', hash(token))
    .execute()
