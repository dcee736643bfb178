import { CamelCasePlugin, Kysely, PostgresDialect, type PostgresPool, sql, type Transaction } from 'kysely'
import { Client, Pool, types } from 'pg'
import { CannotStart } from '#server/platform/config.ts'
import type { Tables } from './tables.ts'

/**
 * The connection to Postgres: `Tables` in camel case, 64-bit integers as numbers, dates as 'yyyy-MM-dd', times as Date.
 */
export type Db = Kysely<Tables>

/** Postgres' numbers of the types that need another parser than that of `pg`. */
const int8 = 20
/** `pg` has no names for array types. */
const int8s = 1016 as number as Parameters<typeof types.getTypeParser>[0]
const date = 1082
const numeric = 1700

const readers = new Map<number, (text: string) => unknown>([
  [int8, Number],
  [int8s, (text) => (types.getTypeParser(int8s)(text) as string[]).map(Number)],
  [numeric, Number],
  [date, (text) => text],
])

/** Timeout of a statement; only migrations and backups may take longer. */
const statementTimeoutMs = 600_000

/**
 * Opens a pool of at most `connections` to `url`. Nothing connects before the first query. While Postgres is away
 * queries fail, never the process, and it reconnects when Postgres returns.
 */
export function openPostgres(url: string, { connections = 20 }: { connections?: number } = {}): Db {
  const pool = new Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: 10_000,
    // Not a parameter of the connection's start, which poolers refuse.
    onConnect: async (client) => void (await client.query(`SET statement_timeout = ${statementTimeoutMs}`)),
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    types: { getTypeParser },
  })
  // A broken idle connection is reported here; without a listener that would end the process.
  pool.on('error', () => {})
  // A connection in use reports here too, in addition to its failed query.
  pool.on('connect', (client) => client.on('error', () => {}))
  return speakTo(pool)
}

/**
 * Throws `CannotStart` if `db` leads to a pooler that gives each transaction or statement another connection: locks and
 * settings of a connection would then belong to another server or task, and stay forever.
 */
export const checkPooler = (db: Db): Promise<void> =>
  db.connection().execute((one) =>
    db.connection().execute(async (other) => {
      const first = await backendOf(one)
      // A pooler gives a free connection to the next client that needs one, which may be another server.
      for (let attempt = 1; attempt <= 5; attempt++) {
        const backends = [await backendOf(other), await backendOf(one)]
        if (backends[0] !== first && backends[1] === first) continue
        throw new CannotStart(
          'DATABASE_URL leads to a connection pooler that shares connections between clients. Set its mode to ' +
            'session (PgBouncer: pool_mode = session), or enter the address of Postgres itself.',
        )
      }
    }),
  )

async function backendOf(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(db)
  return rows[0]?.pid
}

/**
 * One connection to Postgres: `client` is for features missing in Kysely, such as COPY, in the transactions of `db`.
 */
export type Connection = { client: Client; db: Db; close(): Promise<void> }

/** Opens a separate connection to `url`; throws if Postgres is not available. `close` resolves when it is closed. */
export async function openConnection(url: string): Promise<Connection> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000, types: { getTypeParser } })
  // Queries fail with the same reason; a connection that breaks while idle or closing is harmless.
  client.on('error', () => {})
  await client.connect()
  const query = client.query.bind(client)
  const db = speakTo({ options: {}, connect: async () => ({ query, release() {} }), end: async () => {} })
  return { client, db, close: () => client.end() }
}

/** The tables for code whose table is a value. The compiler can't know its columns, since they differ between tables. */
export const anyTable = <Row extends object = Record<string, unknown>>(db: Db | Transaction<Tables>) =>
  db as unknown as Kysely<Record<string, Row>>

/** Keys within JSON are data and stay unchanged. */
const speakTo = (pool: PostgresPool): Db =>
  new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })

function getTypeParser(type: number, format?: 'text' | 'binary') {
  return readers.get(type) ?? types.getTypeParser(type, format)
}
