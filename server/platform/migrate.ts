import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { ClickHouse } from './clickhouse/index.ts'
import type { Db } from './postgres/postgres.ts'
import { text } from './clickhouse/sql.ts'
import type { Tables } from './postgres/tables.ts'
import { CannotStart } from '#server/platform/config.ts'

const migrationsFolder = join(import.meta.dirname, '../../migrations')

/** Any number, the same in every replica: only one of them migrates at a time. */
const migrationLock = 7_403_000

/**
 * Brings Postgres up to date, each file in its own transaction. Throws if an applied file was changed or an unknown one
 * was applied, because then a newer version wrote the data.
 */
export const migratePostgres = (db: Db, folder = join(migrationsFolder, 'postgres')): Promise<void> =>
  oneAtATime(db, async (connection) => {
    for (const file of await readNew(connection, 'postgres', folder))
      await connection.transaction().execute((trx) => applyPostgres(trx, file))
  })

/**
 * Brings ClickHouse up to date. Statements must be repeatable: a file that failed halfway is run again from its top.
 * Throws as `migratePostgres` does.
 */
export const migrateClickHouse = (
  clickhouse: ClickHouse,
  db: Db,
  folder = join(migrationsFolder, 'clickhouse'),
): Promise<void> =>
  oneAtATime(db, async (connection) => {
    for (const file of await readNew(connection, 'clickhouse', folder)) {
      await applyClickHouse(clickhouse, file)
      await record(connection, 'clickhouse', file)
    }
  })

/** Returns whether a Postgres has any tables of the product; before the first start it has none. */
export async function hasTables(db: Db): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`SELECT to_regclass('migrations') IS NOT NULL AS is`.execute(db)
  return rows[0]?.is ?? false
}

export type Store = 'postgres' | 'clickhouse'
type File = { name: string; text: string; checksum: string; minimum?: string }

export const knownMigrations = (store: Store): Promise<File[]> => readFiles(join(migrationsFolder, store))

/** Names of the migrations of one version, in order. */
export type KnownMigrations = Record<Store, string[]>

/** Read at start, because the files may be replaced by those of another version while this one runs. */
export async function readKnownMigrations(): Promise<KnownMigrations> {
  const [postgres, clickhouse] = await Promise.all([knownMigrations('postgres'), knownMigrations('clickhouse')])
  return { postgres: postgres.map(({ name }) => name), clickhouse: clickhouse.map(({ name }) => name) }
}

/**
 * Applied migrations that a running version doesn't know. It can continue with a bearable one: that has a `minimum`, which this version
 * knows.
 */
export async function unknownMigrations(db: Db, known: KnownMigrations) {
  const applied = await db.selectFrom('migrations').select(['store', 'name', 'minimum']).orderBy('name').execute()
  return applied
    .filter(({ store, name }) => !known[store].includes(name))
    .map(({ store, name, minimum }) => {
      const newest = known[store].at(-1)?.slice(0, 4) ?? ''
      return { store, name, isBearable: minimum !== null && minimum <= newest }
    })
}

/**
 * Creates the tables of an empty Postgres up to these migrations, in the caller's transaction; other servers wait to
 * migrate until it ends. With all migrations it is up to date.
 */
export async function migrateIn(trx: Transaction<Tables>, files: readonly File[]): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${migrationLock})`.execute(trx)
  await prepare(trx)
  const applied = await trx.selectFrom('migrations').select('name').where('store', '=', 'postgres').execute()
  const isApplied = new Set(applied.map(({ name }) => name))
  for (const file of files) if (!isApplied.has(file.name)) await applyPostgres(trx, file)
}

/** Creates the tables of an empty ClickHouse up to these migrations; `recordIn` must then record them in Postgres. */
export async function makeClickHouse(clickhouse: ClickHouse, files: readonly File[]): Promise<void> {
  for (const file of files) await applyClickHouse(clickhouse, file)
}

export async function recordIn(trx: Transaction<Tables>, store: Store, files: readonly File[]): Promise<void> {
  for (const file of files) await record(trx, store, file)
}

async function applyPostgres(trx: Transaction<Tables>, file: File): Promise<void> {
  await sql.raw(file.text).execute(trx).catch(failed(file))
  await record(trx, 'postgres', file)
}

async function applyClickHouse(clickhouse: ClickHouse, file: File): Promise<void> {
  for (const statement of statementsOf(file.text)) await clickhouse.command(text(statement)).catch(failed(file))
}

function oneAtATime(db: Db, migrate: (connection: Kysely<Tables>) => Promise<void>): Promise<void> {
  return db.connection().execute(async (connection) => {
    await sql`SET statement_timeout = 0`.execute(connection)
    await sql`SELECT pg_advisory_lock(${migrationLock})`.execute(connection)
    try {
      await prepare(connection)
      await migrate(connection)
    } finally {
      await sql`SELECT pg_advisory_unlock(${migrationLock})`.execute(connection)
      await sql`RESET statement_timeout`.execute(connection)
    }
  })
}

const prepare = (connection: Kysely<Tables>) =>
  sql`CREATE TABLE IF NOT EXISTS migrations (
    store text NOT NULL, name text NOT NULL, checksum text NOT NULL, at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (store, name)
  )`.execute(connection)

/** Reads the files not yet applied, in order. */
async function readNew(connection: Kysely<Tables>, store: Store, folder: string): Promise<File[]> {
  const files = await readFiles(folder)
  const rows = await connection
    .selectFrom('migrations')
    .select(['name', 'checksum'])
    .where('store', '=', store)
    .execute()
  const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]))
  const unknown = rows.map(({ name }) => name).filter((name) => files.every((file) => file.name !== name))
  if (unknown.length > 0)
    throw new CannotStart(
      `The data was written by a newer version of the product: its ${store} ${unknown.length === 1 ? 'migration' : 'migrations'} ` +
        `${unknown.sort().join(', ')} ${unknown.length === 1 ? 'is' : 'are'} unknown here. Start that version, or a newer one`,
    )
  const changed = files.find(({ name, checksum }) => applied.has(name) && applied.get(name) !== checksum)
  if (changed)
    throw new CannotStart(`The ${store} migration ${changed.name} was changed after it was applied: add a new one`)
  return files.filter(({ name }) => !applied.has(name))
}

async function readFiles(folder: string): Promise<File[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const misnamed = names.find((name) => !/^\d{4}_\w+\.sql$/.test(name))
  if (misnamed) throw new CannotStart(`A migration is named NNNN_words.sql, not ${misnamed}`)
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8')
      const [, minimum] = /^-- minimum: (\d{4})$/m.exec(text) ?? []
      return { name, text, checksum: createHash('sha256').update(text).digest('hex'), ...(minimum && { minimum }) }
    }),
  )
}

/** A statement ends with a semicolon at the end of a line. */
const statementsOf = (text: string): string[] =>
  text
    .split(/;[ \t]*(?:--.*)?(?:\r?\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => /^(?!\s*--)\S/m.test(statement))

/** The column `minimum` is itself made by a migration, and files before that one have none. */
const record = (connection: Kysely<Tables>, store: Store, { text: _, ...file }: File) =>
  connection
    .insertInto('migrations')
    .values({ store, ...file })
    .execute()

const failed = (file: File) => (cause: unknown) => {
  throw new Error(`The migration ${file.name} failed: ${cause instanceof Error ? cause.message : String(cause)}`, {
    cause,
  })
}
