import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { ApiTokenDraft, NewApiToken } from '#events/api-tokens.ts'
import { roles as everyRole } from '#events/needs.ts'
import { recordChange } from '#server/platform/audit.ts'
import type { Trx } from '#server/platform/eventLog.ts'
import type { Db } from '#server/platform/postgres.ts'
import { invalid, notFound } from '#server/platform/problem.ts'
import type { Caller } from '#server/platform/route.ts'
import { hash } from '#server/platform/session.ts'

const streamOf = (id: number): string => `api-token-${id}`
const day = 86_400_000

/**
 * Makes a token of the caller's. The answer is the only place where it ever is: the table keeps a hash. Throws 400 for a name
 * that is taken and for roles that the caller does not have.
 */
export async function createToken(db: Db, draft: ApiTokenDraft, by: Caller): Promise<NewApiToken> {
  const { name, days } = draft
  const roles = everyRole.filter((role) => draft.roles.includes(role))
  const mayGive = by.roles.includes('ROLE_ADMIN') || roles.every((role) => by.roles.includes(role))
  if (!mayGive) invalid('roles', 'must be among your own')
  const token = `di_${randomBytes(32).toString('base64url')}`
  const expiresAt = new Date(Date.now() + days * day)
  const id = await db.transaction().execute(async (trx) => {
    await checkName(trx, name)
    const row = { userId: by.id, name, tokenHash: hash(token), roles, expiresAt }
    const { id } = await trx.insertInto('apiTokens').values(row).returning('id').executeTakeFirstOrThrow()
    await recordChange(trx, streamOf(id), by, { after: { name, roles, expiresAt } })
    return id
  })
  return { id, name, token, expiresAt: expiresAt.toISOString() }
}

async function checkName(trx: Trx, name: string): Promise<void> {
  const taken = await trx
    .selectFrom('apiTokens')
    .select('id')
    .where(sql`lower(name)`, '=', sql`lower(${name})`)
    .executeTakeFirst()
  if (taken) invalid('name', `should be unique, ${name} already exists`)
}

/** Ends a token: the next call that carries it is refused. */
export async function revokeToken(db: Db, id: number, by: Caller): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const revoked = await trx
      .deleteFrom('apiTokens')
      .where('id', '=', id)
      .returning(['name', 'roles', 'expiresAt'])
      .executeTakeFirst()
    if (!revoked) return notFound('API token', id)
    await recordChange(trx, streamOf(id), by, { before: revoked })
  })
}
