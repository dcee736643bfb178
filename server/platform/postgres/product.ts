import { sql } from 'kysely'
import type { Db } from './postgres.ts'

/** The ID of this product's data: different for each product and each restored backup. */
export async function readProductId(db: Db): Promise<string> {
  const { id } = await db.selectFrom('product').select('id').executeTakeFirstOrThrow()
  return id
}

/** Creates a new ID, because the data no longer matches the agents' records of it. */
export async function renewProductId(db: Db): Promise<void> {
  await db
    .updateTable('product')
    .set({ id: sql<string>`gen_random_uuid()` })
    .execute()
}
