import { sql } from 'kysely'
import type { Db } from '#server/platform/postgres/postgres.ts'

/** Changes the date of the product's only snapshot to an earlier day. */
export async function backdate(db: Db, day: string): Promise<void> {
  await sql`UPDATE scans SET indexing_date = ${day}`.execute(db)
  await sql`UPDATE snapshots SET indexing_date = ${day}`.execute(db)
}
