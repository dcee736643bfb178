import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import { name, render, type Sql, sql } from '../sql.ts'
import { openAddress } from './address.ts'
import { ask, orAborted } from './ask.ts'
import { checkRows } from './checkRows.ts'
import { type Destination, inMemory } from './destination.ts'
import { explain } from './failure.ts'
import { openHeavyTurns } from './heavyTurns.ts'
import { closedMessage, openLanes } from './lanes.ts'

export { memoryCeiling } from './embedded.ts'

/**
 * How a question is asked: `heavy` ones wait for each other, two at a time, and those that try the same `condition` come
 * one after another: the engine remembers where it met nothing, and does not read there again. `quick` ones read so little
 * that one thread is sooner done than several; `seconds` it may take, 30 unless told.
 */
export type Asked = { heavy?: boolean; condition?: Sql; quick?: boolean; seconds?: number; signal?: AbortSignal }

/**
 * ClickHouse, through connections of several purposes, so that ingest, a commit and questions never wait for each other.
 * A question that takes too long or too much memory fails with a `Problem` of 503; any other failure is the client's own.
 */
export type ClickHouse = {
  /** Which one it is: the address as it was given to `openClickHouse`. */
  address: string
  /** The rows of an answer. Numbers are exact to 2^53: cast 64-bit hashes and ids to text. Held whole in memory. */
  rows<T>(question: Sql, asked?: Asked): Promise<T[]>
  /** The first row of an answer; throws when it has none. */
  one<T>(question: Sql, asked?: Asked): Promise<T>
  /** The rows of a question with a LIMIT, and how many there would be without it: one reading tells both. */
  limited<T>(question: Sql, asked?: Asked): Promise<{ rows: T[]; total: number }>
  /** The answer as the engine writes it in a format such as `JSONEachRow`, not parsed: for what is large. */
  bytes(question: Sql, format: string, asked?: Asked): Promise<Buffer>
  /** Writes the answer to a file of a folder that is there, packed when it is named `.zst`; a failure may leave a part. */
  save(question: Sql, format: string, path: string, asked?: Asked): Promise<void>
  /** Inserts rows of tab-separated text as one block; rows whose `token` came before are taken for done. */
  insert(table: string, columns: readonly string[], tsv: Uint8Array, token: string): Promise<void>
  /** Runs a statement without an answer, one after another. Settings stand in the statement itself. */
  command(statement: Sql): Promise<void>
  /** Likewise, but no commit waits for it, nor it for a commit: for changes that may take long. */
  change(statement: Sql): Promise<void>
  ping(): Promise<void>
  /** Ends what is asked, waits for what is written, and refuses what comes. */
  close(): Promise<void>
}

/** With what is open besides, less than the 16 threads of the pool. */
const connections = { ingest: 2, commit: 1, changes: 1, questions: 6, control: 1 }
const heavyAtOnce = 2

/** Opens `http(s)://…` or `chdb:<absolute folder>`; `memory` is the embedded engine's ceiling in bytes. */
export async function openClickHouse(url: string, { memory }: { memory?: number } = {}): Promise<ClickHouse> {
  const address = openAddress(url, memory)
  const { nice } = address
  const ingest = openLanes(connections.ingest, () => address.connect(nice))
  const commit = openLanes(connections.commit, () => address.connect(nice))
  const changes = openLanes(connections.changes, () => address.connect(nice))
  const questions = openLanes(connections.questions, () => address.connect())
  const control = openLanes(connections.control, () => address.connect())
  const heavyTurns = openHeavyTurns(heavyAtOnce)
  const closing = new AbortController()
  const answer = async <T>(question: Sql, format: string, destination: Destination<T>, asked: Asked = {}) => {
    const { heavy = false, condition, quick = false, seconds = 30, signal: caller } = asked
    const signal = caller ? AbortSignal.any([caller, closing.signal]) : closing.signal
    const work = () => ask(questions, control, question, { format, heavy, nice, quick, seconds, signal }, destination)
    try {
      return await orAborted(heavy ? heavyTurns.take(work, { condition, signal }) : work(), signal)
    } catch (error) {
      throw explain(error)
    }
  }
  const bytes: ClickHouse['bytes'] = (question, format, asked) => answer(question, format, inMemory, asked)
  const rows = async <T>(question: Sql, asked?: Asked) => parseLines<T>(await bytes(question, 'JSONEachRow', asked))
  return {
    address: url,
    bytes,
    rows,
    async limited<T>(question: Sql, asked?: Asked) {
      // Where a part of a union is read in the order that is asked for, the engine counts no more than the limit of it.
      const settings = sql`exact_rows_before_limit = 1, optimize_read_in_order = 0`
      const answer = await bytes(sql`${question} SETTINGS ${settings}`, 'JSON', asked)
      const { data, rows_before_limit_at_least: total } = JSON.parse(answer.toString()) as Limited<T>
      return { rows: data, total }
    },
    save: (question, format, path, asked) => answer(question, format, address.intoFile(path), asked),
    async one<T>(question: Sql, asked?: Asked) {
      const [first] = await rows<T>(question, asked)
      if (first === undefined) throw new Error('ClickHouse answered no row where there is always one')
      return first
    },
    insert: (table, columns, tsv, token) => ingest.run((client) => insertRows(client, table, columns, tsv, token)),
    command: (statement) => commit.run((client) => runStatement(client, statement)),
    change: (statement) => changes.run((client) => runStatement(client, statement)),
    ping: () => control.run(ping),
    async close() {
      closing.abort(new Error(closedMessage))
      await Promise.all([heavyTurns, questions, ingest, commit, changes].map((part) => part.close()))
      // Last, for it ends the questions.
      await control.close()
      await address.close()
    },
  }
}

/** What the engine's format JSON has of interest. */
type Limited<T> = { data: T[]; rows_before_limit_at_least: number }

const parseLines = <T>(answer: Buffer): T[] =>
  answer
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T)

const runStatement = async (client: ClickHouseClient, statement: Sql): Promise<void> =>
  void (await client.command(render(statement)))

async function insertRows(
  client: ClickHouseClient,
  table: string,
  columns: readonly string[],
  tsv: Uint8Array,
  token: string,
): Promise<void> {
  if (tsv.byteLength === 0) return
  checkRows(tsv)
  if (!/^[\w.:-]+$/.test(token)) throw new TypeError(`Not a deduplication token: ${token}`)
  const list = columns.map((column) => render(name(column)).query).join(', ')
  const { stream } = await client.exec({
    query: `INSERT INTO ${render(name(table)).query} (${list}) SETTINGS insert_deduplication_token = '${token}', async_insert = 0 FORMAT TabSeparated`,
    values: Readable.from([Buffer.from(tsv.buffer, tsv.byteOffset, tsv.byteLength)]),
  })
  await finished(stream.resume())
}

async function ping(client: ClickHouseClient): Promise<void> {
  const answer = await client.ping()
  if (!answer.success) throw answer.error
}
