import { randomUUID } from 'node:crypto'
import { channel } from 'node:diagnostics_channel'
import { setTimeout as pause } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import type { WorkLimits } from '#server/platform/limits/admission.ts'
import { workLimits } from '#server/platform/limits/workLimits.ts'
import { keyOf, render, type Sql, text } from './sql.ts'
import { onEveryServer, type Statement } from './statements.ts'
import { type Destination, inMemory } from './destination.ts'
import type { ConnectionPool } from './pool.ts'

/** Diagnostics channel of this process: one message for each query that starts. */
export const queries = channel('dataintell.clickhouse.asked')
export type QueryStarted = { question: Sql; format: string; intoFile: boolean }

/** Ends the query with this mark. */
type Kill = (mark: string) => Promise<void>

type RunOptions = {
  format: string
  weight: Weight
  nice: number
  quick: boolean
  seconds: number
  condition: Sql | undefined
  signal: AbortSignal
}

/** Amount that a query may read. Those that read less go first. */
export type Weight = 'light' | 'heavy' | 'background'

/** Kinds of work that the query of a weight is. */
export const kindsOf = {
  light: [workLimits.query],
  heavy: [workLimits.query, workLimits.heavyQuery],
  background: [workLimits.query, workLimits.backgroundQuery],
} satisfies Record<Weight, WorkLimits[]>

const priorities = { light: 1, heavy: 2, background: 3 }

/**
 * While a query of a lower number runs, one of a higher number sleeps between its blocks, at most this many milliseconds
 * each time. Its threads get the nice value of heavy work.
 */
const precedence = (weight: Weight, nice: number) =>
  `priority = ${priorities[weight]}` +
  (weight === 'light' ? '' : `, low_priority_query_wait_time_ms = 100, os_thread_priority = ${nice}`)

/**
 * Runs a statement on a connection of `pool`, in the given output format, within the given number of seconds. Settles
 * when the statement has ended. A signal ends it soon: `kill` ends the statement with that mark.
 */
export function runQuery<T>(
  pool: ConnectionPool,
  kill: Kill,
  question: Sql,
  { format, weight, nice, quick, seconds, condition, signal }: RunOptions,
  destination: Destination<T>,
): Promise<T> {
  const { clause, take } = destination
  const intoFile = !Object.is(destination, inMemory)
  const mark = `question ${randomUUID()}`
  const { query, query_params } = render(question)
  // The mark is a setting: the engine lists a statement with parameters in its own formatting, without comments.
  const settings = [
    `max_execution_time = ${Math.ceil(seconds)}`,
    `log_comment = '${mark}'`,
    precedence(weight, nice),
    ...(quick ? quickSettings : []),
    ...commonSettings,
  ].join(', ')
  const statement = { query: `${query}\n${clause}FORMAT ${format} SETTINGS ${settings}`, query_params }
  const run = (client: ClickHouseClient) => {
    queries.publish({ question, format, intoFile } satisfies QueryStarted)
    return killedOnAbort(take(client, statement), signal, kill, mark)
  }
  return pool.run(run, { kinds: kindsOf[weight], key: condition && keyOf(condition), signal })
}

/** Threads that a small result doesn't need: the output threads took a fifth of the time of the smallest queries. */
const quickSettings = ['max_threads = 1', 'output_format_parallel_formatting = 0']

const commonSettings = [
  // 64-bit numbers arrive as JSON numbers.
  'output_format_json_quote_64bit_integers = 0',
  // Conditions run in the order they are written, cheap ones first: the engine's own order takes two to three times as
  // long.
  'allow_reorder_prewhere_conditions = 0',
]

/** Milliseconds between attempts to kill a statement, which may not have started at the first attempt. */
const killIntervalMs = 200

async function killedOnAbort<T>(answer: Promise<T>, signal: AbortSignal, killOnce: Kill, mark: string) {
  let over = false
  const kill = async () => {
    while (!over) {
      await killOnce(mark).catch(() => {})
      if (!over) await pause(killIntervalMs)
    }
  }
  const aborted = () => void kill()
  signal.addEventListener('abort', aborted, { once: true })
  try {
    return await answer
  } finally {
    over = true
    signal.removeEventListener('abort', aborted)
  }
}

/** A statement that ends the query with this mark. */
export const killStatement = (mark: string): Statement =>
  onEveryServer('KILL QUERY', text(`WHERE position(query, '${mark}') > 0 AND NOT startsWith(query, 'KILL') ASYNC`))

/** Settles as the promise does, or rejects with the signal's reason if that happens first. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const aborted = () => reject(signal.reason as Error)
    if (signal.aborted) aborted()
    signal.addEventListener('abort', aborted, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', aborted))
  })
}
