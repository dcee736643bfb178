import { sql } from 'kysely'
import type { Role } from '#events/needs.ts'
import type { Db } from './postgres.ts'
import { Problem } from './problem.ts'
import { type SessionUser, hash } from './session.ts'

/**
 * The user that a token speaks for, by the `Authorization` header of a call, with those of its roles that the user has by now;
 * its name tells the event log of the token. Using it is noted. Throws 401 for one that is
 * unknown, revoked or expired, and while its owner is disabled.
 */
export async function findTokenUser(db: Db, authorization: string): Promise<SessionUser> {
  const [, token = ''] = /^Bearer +(\S{1,200})$/i.exec(authorization) ?? []
  const found = await db
    .selectFrom('apiTokens')
    .innerJoin('users', 'users.id', 'apiTokens.userId')
    .select(['users.id', 'users.name', 'users.roles', 'apiTokens.name as tokenName', 'apiTokens.roles as granted'])
    .select(sql<boolean>`api_tokens.expires_at <= now()`.as('isExpired'))
    .select(sql<boolean>`coalesce(last_used_at, '-infinity') < now() - interval '1 minute'`.as('isStale'))
    .select(sql<boolean>`disabled_at IS NOT NULL`.as('isOwnerDisabled'))
    .where('tokenHash', '=', hash(token))
    .executeTakeFirst()
  if (!found) throw new Problem(401, 'This API token is unknown or was revoked', { code: 'token' })
  if (found.isOwnerDisabled) throw new Problem(401, 'The owner of this API token is disabled', { code: 'token' })
  if (found.isExpired) throw new Problem(401, 'This API token has expired', { code: 'token' })
  if (found.isStale) await use(db, token)
  const { id, name, tokenName, granted, roles } = found
  return { id, name: `${name}, token ${tokenName}`, roles: commonRoles(granted, roles), mustChangePassword: false }
}

/** An administrator has every role. */
const commonRoles = (granted: Role[], held: Role[]): Role[] =>
  held.includes('ROLE_ADMIN') ? granted : granted.filter((role) => held.includes(role))

const use = (db: Db, token: string) =>
  db
    .updateTable('apiTokens')
    .set({ lastUsedAt: sql<Date>`now()` })
    .where('tokenHash', '=', hash(token))
    .execute()
