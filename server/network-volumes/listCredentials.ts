import { sql } from 'kysely'
import type { PageQuery } from '#events/page.ts'
import { checkSort } from '#server/platform/checkSort.ts'
import type { Platform } from '#server/platform/platform.ts'
import { isOfAnotherKey } from '#server/platform/secrets.ts'

const sortable = { id: sql`id`, name: sql`lower(name)` }

/** A page of the credentials without their passwords, by name unless asked otherwise. */
export async function listCredentials(
  { db, config }: Pick<Platform, 'db' | 'config'>,
  { page, size, sort = 'name', direction = 'asc' }: PageQuery,
) {
  checkSort(sort, sortable)
  const credentials = db.selectFrom('networkCredentials')
  const rows = await credentials
    .select(['id', 'name', 'username', 'password', 'domain', 'options'])
    .orderBy(sortable[sort], direction)
    .orderBy('id', direction)
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  const { total } = await credentials.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const elements = await Promise.all(
    rows.map(async ({ password, ...row }) => ({ ...row, isPasswordLost: await isOfAnotherKey(config, password) })),
  )
  return { elements, page, size, total, sort, direction }
}
