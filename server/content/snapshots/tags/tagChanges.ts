import { sql } from 'kysely'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'

/** The last possible day: a tag that ends then is still in place. */
export const endOfDays = '2149-06-06'

/** Columns of the rows of a change, in `entry_tags`. */
export const tagColumns = 'tag, volume, parent_path, name, is_directory, from_date, to_date, version'

/** The version of a change's rows in `entry_tags`: above those of all earlier changes. */
export async function nextTagVersion(db: Db | Trx): Promise<number> {
  const { rows } = await sql<{ next: number }>`SELECT nextval('tag_versions') AS next`.execute(db)
  return rows[0]?.next ?? 0
}
