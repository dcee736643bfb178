import { sql } from 'kysely'
import type { Db } from '#server/platform/postgres/postgres.ts'

/** Makes the one snapshot that a product has that of an earlier day. */
export async function backdate(db: Db, day: string): Promise<void> {
  await sql`UPDATE scans SET indexing_date = ${day}`.execute(db)
  await sql`UPDATE snapshots SET indexing_date = ${day}`.execute(db)
}
