import { sql } from 'kysely'
import type { PageQuery } from '#events/page.ts'
import { checkSort } from '#server/platform/checkSort.ts'
import type { Db } from '#server/platform/postgres.ts'

const sortable = { name: sql`lower(wall_tokens.name)`, createdAt: sql`wall_tokens.created_at` }

/** A page of the tokens that were not ended, with how many displays use each; by name unless asked otherwise. */
export async function listTokens(db: Db, { page, size, sort = 'name', direction = 'asc' }: PageQuery) {
  checkSort(sort, sortable)
  const rows = await db
    .selectFrom('wallTokens')
    .leftJoin('wallSessions', 'wallSessions.tokenId', 'wallTokens.id')
    .select(['wallTokens.id', 'wallTokens.name', 'wallTokens.createdBy', 'wallTokens.createdAt'])
    .select(({ fn }) => [
      fn.count<number>('wallSessions.idHash').as('displays'),
      fn.max('wallSessions.lastSeenAt').as('lastSeenAt'),
    ])
    .groupBy('wallTokens.id')
    .orderBy(sortable[sort], direction)
    .orderBy('wallTokens.id')
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  const { total } = await db
    .selectFrom('wallTokens')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const elements = rows.map(({ createdAt, lastSeenAt, ...token }) => ({
    ...token,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt?.toISOString() ?? null,
  }))
  return { elements, page, size, total, sort, direction }
}
