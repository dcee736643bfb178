import { sql } from 'kysely'
import type { Db } from '#server/platform/postgres/postgres.ts'

/**
 * Tables left out of backups: sessions and logout tokens, failed sign-ins and codes of addresses, applied migrations (they are in the manifest), running
 * servers, and pending removals and live states of rows that no backup has.
 */
const notKept = [
  'migrations',
  'replicas',
  'sessions',
  'wall_sessions',
  'logout_tokens',
  'failed_passwords',
  'address_codes',
  'replaced_generations',
  'ended_layers',
  'live_volumes',
]

/** A table and its writable columns, by their names in Postgres. */
export type Table = { name: string; columns: string[] }

/** The tables in a backup, each after those that it references. */
export async function keptTables(db: Db): Promise<Table[]> {
  const { rows: columns } = await sql<{ name: string; column: string }>`
    SELECT c.relname AS name, a.attname AS column
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
      AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    ORDER BY c.relname, a.attnum`.execute(db)
  const { rows: references } = await sql<{ name: string; other: string }>`
    SELECT conrelid::regclass::text AS name, confrelid::regclass::text AS other
    FROM pg_constraint WHERE contype = 'f' AND conrelid != confrelid`.execute(db)
  const byTable = Map.groupBy(columns, ({ name }) => name)
  const order = inOrder([...byTable.keys()], references)
  return order
    .filter((name) => !notKept.includes(name))
    .map((name) => ({ name, columns: (byTable.get(name) ?? []).map(({ column }) => column) }))
}

function inOrder(names: string[], references: { name: string; other: string }[]): string[] {
  const placed = new Set<string>()
  const place = (name: string) => {
    if (placed.has(name)) return
    for (const { other } of references.filter((reference) => reference.name === name)) place(other)
    placed.add(name)
  }
  for (const name of names) place(name)
  return [...placed]
}

/** Returns whether nothing was ever stored here: not even a table exists. */
export async function hasNoTables(db: Db): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace LIMIT 1`.execute(
    db,
  )
  return rows.length === 0
}

/** Sequences with their last number, if any. Read after the tables, so none is behind. */
export async function readSequences(db: Db): Promise<{ name: string; last: number }[]> {
  const { rows } = await sql<{ name: string; last: number }>`
    SELECT sequencename AS name, last_value AS last FROM pg_sequences
    WHERE schemaname = current_schema() AND last_value IS NOT NULL ORDER BY sequencename`.execute(db)
  return rows
}
