import { streamNames } from '#events/streams.ts'
import { randomBytes } from 'node:crypto'
import { tokenRoles } from '#events/contract/needs.ts'
import type { ApiTokenDraft, NewApiToken } from '#events/users/apiTokens.ts'
import { checkStored } from '#server/platform/crud/checkStored.ts'
import { checkUnique } from '#server/platform/crud/checkUnique.ts'
import type { Caller } from '#server/platform/http/route.ts'
import { hash, lockSession } from '#server/platform/callers/session.ts'
import type { Change } from '#server/platform/log/change.ts'
import { invalid, notFound } from '#server/platform/problem.ts'
import { sql } from 'kysely'
import type { PageQuery } from '#events/contract/page.ts'
import { listPage, textOrder } from '#server/platform/crud/listPage.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'

const dayMs = 86_400_000

/**
 * Creates a token for the caller. Only the response contains it: the table has a hash. Throws 400 for a duplicate name,
 * and for roles that the caller doesn't have.
 */
export async function createToken(
  { trx, by, record }: Change<Caller>,
  draft: ApiTokenDraft,
  session: string | undefined,
): Promise<NewApiToken> {
  const { name, days } = draft
  const roles = tokenRoles.filter((role) => draft.roles.includes(role))
  const mayGive = by.roles.includes('ROLE_ADMIN') || roles.every((role) => by.roles.some((own) => own === role))
  if (!mayGive) invalid('roles', 'must be among your own')
  await lockSession(trx, session)
  await checkStored(trx, by, 'apiTokensPerUser', trx.selectFrom('apiTokens').where('userId', '=', by.id))
  await checkUnique(trx.selectFrom('apiTokens'), { value: name })
  const token = `di_${randomBytes(32).toString('base64url')}`
  const expiresAt = new Date(Date.now() + days * dayMs)
  const row = { userId: by.id, name, tokenHash: hash(token), roles, expiresAt }
  const { id } = await trx.insertInto('apiTokens').values(row).returning('id').executeTakeFirstOrThrow()
  await record(streamNames.apiToken(id), { after: { name, roles, expiresAt } })
  return { id, name, token, expiresAt: expiresAt.toISOString() }
}

/** Revokes a token: the next call with it is refused. */
export async function revokeToken({ trx, record }: Change, id: number): Promise<void> {
  const revoked = await trx
    .deleteFrom('apiTokens')
    .where('id', '=', id)
    .returning(['name', 'roles', 'expiresAt'])
    .executeTakeFirst()
  if (!revoked) return notFound('API token', id)
  await record(streamNames.apiToken(id), { before: revoked })
}

const sortable = {
  name: textOrder('apiTokens.name'),
  createdAt: sql`api_tokens.created_at`,
  expiresAt: sql`api_tokens.expires_at`,
}

/**
 * A page of the tokens that were not revoked, including expired ones and those of disabled users; sorted by name by
 * default.
 */
export const listTokens = (db: Db, query: PageQuery) =>
  listPage(
    db,
    db
      .selectFrom('apiTokens')
      .innerJoin('users', 'users.id', 'apiTokens.userId')
      .select(['apiTokens.id', 'apiTokens.name', 'users.name as owner', 'apiTokens.roles', 'apiTokens.createdAt'])
      .select(['expiresAt', 'lastUsedAt', sql<boolean>`expires_at <= now()`.as('isExpired')])
      .select(sql<boolean>`disabled_at IS NOT NULL`.as('isOwnerDisabled')),
    query,
    { sortable, sort: 'name', tie: 'apiTokens.id' },
    ({ createdAt, expiresAt, lastUsedAt, ...token }) => ({
      ...token,
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    }),
  )
