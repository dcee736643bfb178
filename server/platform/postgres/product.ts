import { sql } from 'kysely'
import type { Db } from './postgres.ts'

/** The ID of this product's data: another one for each product, and for each restore of a backup. */
export async function readProductId(db: Db): Promise<string> {
  const { id } = await db.selectFrom('product').select('id').executeTakeFirstOrThrow()
  return id
}

/** Makes another ID, because the data is no longer what agents remember of it. */
export async function renewProductId(db: Db): Promise<void> {
  await db
    .updateTable('product')
    .set({ id: sql<string>`gen_random_uuid()` })
    .execute()
}
