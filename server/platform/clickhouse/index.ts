import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import { quoted, type Sql, sql } from './sql.ts'
import { openAddress } from './address.ts'
import { clusterForm } from './cluster/clusterForm.ts'
import { type Form, singleForm } from './cluster/form.ts'
import { killStatement, orAborted, runQuery, type Weight } from './runQuery.ts'
import { type BlockInsert, onceByToken } from './blocks.ts'
import { checkRows } from './checkRows.ts'
import { type Destination, inMemory } from './destination.ts'
import type { OpenOptions } from './embedded.ts'
import { explain } from './failure.ts'
import { closedMessage, type ConnectionPool, openPool } from './pool.ts'
import { readStatement } from './readStatement.ts'
import { insertInto, type Statement } from './statements.ts'

/**
 * Options of a query. `heavy` queries run three at a time, at most two of one user, and those with the same `condition` one
 * after another, because the engine remembers where a condition matched nothing and skips that. `background` queries, of
 * files for download or backup, run three at a time and leave the processor to all others. `quick` queries read so
 * little that one thread is faster than several. `seconds` is the timeout, 30 by default.
 */
export type QueryOptions = {
  heavy?: boolean
  background?: boolean
  condition?: Sql
  quick?: boolean
  seconds?: number
  signal?: AbortSignal
}

/**
 * ClickHouse, with separate connections for ingest, commits and queries, so they never wait for each other. A query
 * that exceeds its time or memory fails with a `Problem` of 503; other errors are the client's own.
 */
export type ClickHouse = {
  /** The address passed to `openClickHouse`. */
  address: string
  /** The form of the tables, by which system tables list them. */
  system: Pick<Form, 'cluster' | 'storedTable' | 'tableOf' | 'ofShards' | 'ofReplicas'>
  /** The names of all tables. */
  tables(): Promise<string[]>
  /** Waits until all replicas of a cluster have the blocks that were inserted into a table. All other inserts wait for that. */
  settle(table: string): Promise<void>
  /** Returns all rows, held in memory. Numbers are exact to 2^53: cast 64-bit hashes and ids to text. */
  rows<T>(question: Sql, options?: QueryOptions): Promise<T[]>
  /** Returns the first row; throws if the result is empty. */
  one<T>(question: Sql, options?: QueryOptions): Promise<T>
  /** Returns the rows of a query with a LIMIT and the count without it, in one read. */
  limited<T>(question: Sql, options?: QueryOptions): Promise<{ rows: T[]; total: number }>
  /** Returns the result in an output format such as `JSONEachRow`, not parsed; for large results. */
  bytes(question: Sql, format: string, options?: QueryOptions): Promise<Buffer>
  /**
   * Writes the result to a file in an existing folder, compressed if the name ends in `.zst`. A failure may leave a
   * partial file.
   */
  save(question: Sql, format: string, path: string, options?: QueryOptions): Promise<void>
  /** Inserts rows of tab-separated text as one block; does nothing if the `token` was used before. */
  insert(table: string, columns: readonly string[], tsv: Uint8Array, token: string): Promise<void>
  /** Inserts one block of the Native format, which must be well formed. */
  insertBlock(insert: BlockInsert): Promise<void>
  /**
   * Runs statements without a result, one after another. Settings are part of the statement. Throws a TypeError for SQL that is neither a
   * query nor a known change of tables.
   */
  command(statement: Statement | Sql): Promise<void>
  /** Same as `command`, but commits don't wait for it, nor it for commits: for changes that may take long. */
  change(statement: Statement | Sql): Promise<void>
  ping(): Promise<void>
  /** Writes a row to the table of health checks, without waiting for ingest, commits or queries. */
  writeCheck(): Promise<void>
  /** Aborts queries, waits for inserts, rejects new calls. */
  close(): Promise<void>
}

/** Options of `openClickHouse`. */
type ClickHouseOptions = OpenOptions & {
  cluster?: string | undefined
  /** Changes the statements of a cluster, in tests. */
  adapt?: (statement: string) => string
}

/** Together with other open connections fewer than the 16 threads of the pool. */
const connections = { ingest: 2, commit: 1, changes: 1, questions: 9, control: 1 }

/**
 * Opens `http(s)://…` or `chdb:<absolute folder>`; memory and settings are only for the embedded engine. With the name of a
 * `cluster` tables are stored on its shards.
 */
export async function openClickHouse(url: string, given: ClickHouseOptions = {}): Promise<ClickHouse> {
  const { cluster, adapt, ...options } = given
  const form = cluster === undefined ? singleForm : clusterForm(cluster, adapt)
  const address = openAddress(url, { ...options, settings: { ...options.settings, ...form.settings } })
  const { nice } = address
  const ingest = openPool(connections.ingest, () => address.connect(nice))
  const commit = openPool(connections.commit, () => address.connect(nice))
  const changes = openPool(connections.changes, () => address.connect(nice))
  const questions = openPool(connections.questions, () => address.connect())
  const control = openPool(connections.control, () => address.connect())
  const closing = new AbortController()
  const kill = (mark: string) => control.run((client) => form.run(client, killStatement(mark)))
  const answer = async <T>(question: Sql, format: string, destination: Destination<T>, options: QueryOptions = {}) => {
    const { condition, quick = false, seconds = 30 } = options
    const weight = weightOf(options)
    const signal = AbortSignal.any([closing.signal, ...(options.signal ? [options.signal] : [])])
    const running = { format, weight, nice, quick, seconds, condition, signal }
    return orAborted(runQuery(questions, kill, question, running, destination), signal).catch((error: unknown) => {
      throw explain(error)
    })
  }
  const bytes: ClickHouse['bytes'] = (question, format, options) => answer(question, format, inMemory, options)
  const rows: ClickHouse['rows'] = async <T>(question: Sql, options?: QueryOptions) =>
    parseLines<T>(await bytes(question, 'JSONEachRow', options))
  return {
    address: url,
    system: form,
    bytes,
    rows,
    tables: () => listTables(rows, form),
    settle: (table) => control.run((client) => form.settle(client, table)),
    limited: (question, options) => readLimited(bytes, question, options),
    save: (question, format, path, options) => answer(question, format, address.intoFile(path), options),
    one: async <T>(question: Sql, options?: QueryOptions) => firstOf(await rows<T>(question, options)),
    insert: (...rows) => ingest.run((client) => insertRows(client, form, ...rows)),
    insertBlock: (insert) => ingest.run((client) => address.insertBlock(client, insert)),
    command: runOn(commit, form),
    change: runOn(changes, form),
    ping: () => control.run(ping),
    writeCheck: () => control.run(writeCheck),
    async close() {
      closing.abort(new Error(closedMessage))
      await Promise.all([questions, ingest, commit, changes].map((part) => part.close()))
      // Last, because it kills the queries.
      await control.close()
      await address.close()
    },
  }
}

const runOn = (pool: ConnectionPool, form: Form) => async (given: Statement | Sql) => {
  const statement = 'onCluster' in given ? given : readStatement(given)
  await pool.run((client) => form.run(client, statement))
}

const weightOf = ({ heavy, background }: QueryOptions): Weight =>
  background ? 'background' : heavy ? 'heavy' : 'light'

function firstOf<T>([first]: T[]): T {
  if (first === undefined) throw new Error('ClickHouse answered no row where there is always one')
  return first
}

async function listTables(rows: ClickHouse['rows'], form: Form): Promise<string[]> {
  const found = await rows<{ name: string }>(sql`SELECT name FROM system.tables WHERE database = currentDatabase()`)
  const all = new Set(found.map((table) => table.name))
  return [...all].filter((table) => all.has(form.storedTable(table)))
}

/** The relevant part of the engine's format JSON. */
type Limited<T> = { data: T[]; rows_before_limit_at_least: number }

async function readLimited<T>(bytes: ClickHouse['bytes'], question: Sql, options?: QueryOptions) {
  // If a part of a union is read in the requested order, the engine counts only up to its limit.
  const settings = sql`exact_rows_before_limit = 1, optimize_read_in_order = 0`
  const answer = await bytes(sql`${question} SETTINGS ${settings}`, 'JSON', options)
  const { data, rows_before_limit_at_least: total } = JSON.parse(answer.toString()) as Limited<T>
  return { rows: data, total }
}

const parseLines = <T>(answer: Buffer): T[] =>
  answer
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T)

async function insertRows(
  client: ClickHouseClient,
  form: Form,
  table: string,
  columns: readonly string[],
  tsv: Uint8Array,
  token: string,
): Promise<void> {
  if (tsv.byteLength === 0) return
  checkRows(tsv)
  const list = columns.map(quoted).join(', ')
  const { stream } = await client.exec({
    query: `INSERT INTO ${quoted(table)} (${list}) SETTINGS ${onceByToken(token)} FORMAT TabSeparated`,
    values: Readable.from([Buffer.from(tsv.buffer, tsv.byteOffset, tsv.byteLength)]),
  })
  await finished(stream.resume())
  await form.settle(client, table)
}

const writeCheck = (client: ClickHouseClient): Promise<void> =>
  singleForm.run(client, insertInto('health_checks', sql`SELECT now() SETTINGS async_insert = 0`))

async function ping(client: ClickHouseClient): Promise<void> {
  const answer = await client.ping()
  if (!answer.success) throw answer.error
}
