import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import { Client, Pool, types } from 'pg'
import type { Tables } from './tables.ts'

/** The connection to Postgres: `Tables` in camel case, 64-bit integers as numbers, dates as 'yyyy-MM-dd', times as Date. */
export type Db = Kysely<Tables>

/** Postgres' own numbers of the types that are read in another way than `pg` would. */
const int8 = 20
/** Arrays are not among the types that `pg` names. */
const int8s = 1016 as number as Parameters<typeof types.getTypeParser>[0]
const date = 1082
const numeric = 1700

const readers = new Map<number, (text: string) => unknown>([
  [int8, Number],
  [int8s, (text) => (types.getTypeParser(int8s)(text) as string[]).map(Number)],
  [numeric, Number],
  [date, (text) => text],
])

/** So long a statement may take; migrations and backups alone may take longer. */
const statementTimeoutMs = 600_000

/**
 * Opens a pool of at most `connections` to `url`. Nothing is connected before the first question; a Postgres that is
 * away fails the questions asked meanwhile, never the process, and is found again when it returns.
 */
export function openPostgres(url: string, { connections = 20 }: { connections?: number } = {}): Db {
  const pool = new Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: 10_000,
    statement_timeout: statementTimeoutMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    types: { getTypeParser },
  })
  // An idle connection that breaks is reported here; without a listener that would end the process.
  pool.on('error', () => {})
  // One that is in use reports here as well as to the question that it fails.
  pool.on('connect', (client) => client.on('error', () => {}))
  return speakTo(pool)
}

/** One connection to Postgres: `client` is for what Kysely has no words for, such as COPY, in the transactions of `db`. */
export type Connection = { client: Client; db: Db; close(): Promise<void> }

/** Opens a connection of its own to `url`; throws when Postgres is not there. It is gone when `close` returns. */
export async function openConnection(url: string): Promise<Connection> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000, types: { getTypeParser } })
  // What is asked fails with the same reason; one that breaks while nothing is asked, or while it closes, harms nobody.
  client.on('error', () => {})
  await client.connect()
  const query = client.query.bind(client)
  const db = speakTo({ connect: async () => ({ query, release() {} }), end: async () => {} } as unknown as Pool)
  return { client, db, close: () => client.end() }
}

/** Keys within JSON are data and stay as they are. */
const speakTo = (pool: Pool): Db =>
  new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })

function getTypeParser(type: number, format?: 'text' | 'binary') {
  return readers.get(type) ?? types.getTypeParser(type, format)
}
