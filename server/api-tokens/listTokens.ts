import { sql } from 'kysely'
import type { PageQuery } from '#events/page.ts'
import { checkSort } from '#server/platform/checkSort.ts'
import type { Db } from '#server/platform/postgres.ts'

const sortable = {
  name: sql`lower(api_tokens.name)`,
  createdAt: sql`api_tokens.created_at`,
  expiresAt: sql`api_tokens.expires_at`,
}

/** A page of the tokens that were not revoked, among them expired ones and those of disabled users; by name unless asked otherwise. */
export async function listTokens(db: Db, { page, size, sort = 'name', direction = 'asc' }: PageQuery) {
  checkSort(sort, sortable)
  const rows = await db
    .selectFrom('apiTokens')
    .innerJoin('users', 'users.id', 'apiTokens.userId')
    .select(['apiTokens.id', 'apiTokens.name', 'users.name as owner', 'apiTokens.roles', 'apiTokens.createdAt'])
    .select(['expiresAt', 'lastUsedAt', sql<boolean>`expires_at <= now()`.as('isExpired')])
    .select(sql<boolean>`disabled_at IS NOT NULL`.as('isOwnerDisabled'))
    .orderBy(sortable[sort], direction)
    .orderBy('apiTokens.id')
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  const { total } = await db
    .selectFrom('apiTokens')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const elements = rows.map(({ createdAt, expiresAt, lastUsedAt, ...token }) => ({
    ...token,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }))
  return { elements, page, size, total, sort, direction }
}
