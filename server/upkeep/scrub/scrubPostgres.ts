import { sql } from 'kysely'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { messageOf } from '#server/platform/problem.ts'
import type { Print } from '#server/platform/nats/answerOrders.ts'
import type { Damage } from './damage.ts'

/**
 * Reads every row of every table, also the parts of long values that are stored apart: Postgres verifies the checksum of
 * each page that it reads. Indexes are not read.
 */
export async function scrubPostgres(db: Db, say: Print): Promise<Damage[]> {
  const { rows: tables } = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_class
    WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace ORDER BY relname`.execute(db)
  const damages: Damage[] = []
  for (const { name } of tables) {
    const reason = await readWhole(db, name)
    if (reason !== undefined)
      damages.push({ place: `Postgres, table ${name}`, reason, lost: 'Some of its rows', remedy: 'Restore a backup' })
  }
  say(`Postgres: ${tables.length} tables read`)
  return damages
}

/** The reason why a table can't be read. */
const readWhole = (db: Db, table: string): Promise<string | undefined> =>
  db
    .transaction()
    .execute(async (trx) => {
      await sql`SET LOCAL statement_timeout = 0`.execute(trx)
      await sql`SELECT sum(length(whole::text)) FROM ${sql.id(table)} AS whole`.execute(trx)
    })
    .then(() => undefined, messageOf)
