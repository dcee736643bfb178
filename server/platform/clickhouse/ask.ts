import { randomUUID } from 'node:crypto'
import type { ClickHouseClient } from '@clickhouse/client'
import { render, type Sql } from '../sql.ts'
import type { Lanes } from './lanes.ts'

/**
 * Asks on one of `lanes`, in the given output format, for at most so many seconds. A signal ends the wait at once and the
 * statement soon after: it bears a mark by which `killer` finds it.
 */
export async function ask(
  lanes: Lanes,
  killer: Lanes,
  question: Sql,
  { format, seconds, signal }: { format: string; seconds: number; signal?: AbortSignal | undefined },
): Promise<Buffer> {
  const mark = `question ${randomUUID()}`
  const { query, query_params } = render(question)
  const marked = `/* ${mark} */ ${query}\nFORMAT ${format} SETTINGS max_execution_time = ${Math.ceil(seconds)}, ${plain}`
  const asking = lanes.run(
    (client) => untilAborted(readAll(client, marked, query_params), signal, killer, mark),
    signal,
  )
  return raceAbort(asking, signal)
}

/** Numbers arrive as JSON numbers, also those of 64 bits, which are exact to 2^53. */
const plain = 'output_format_json_quote_64bit_integers = 0'

async function readAll(client: ClickHouseClient, query: string, query_params: Record<string, unknown>) {
  const { stream } = await client.exec({ query, query_params })
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

/** Keeps the connection until the statement is over, as it cannot be used before. */
async function untilAborted<T>(answer: Promise<T>, signal: AbortSignal | undefined, killer: Lanes, mark: string) {
  let over = false
  const kill = async () => {
    while (!over) {
      await killStatement(killer, mark).catch(() => {})
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
  const aborted = () => void kill()
  signal?.addEventListener('abort', aborted, { once: true })
  try {
    const result = await answer
    signal?.throwIfAborted()
    return result
  } finally {
    over = true
    signal?.removeEventListener('abort', aborted)
  }
}

const killStatement = (killer: Lanes, mark: string) =>
  killer.run((client) =>
    client.command({
      query: `KILL QUERY WHERE position(query, '${mark}') > 0 AND NOT startsWith(query, 'KILL') ASYNC`,
    }),
  )

/** Settles as the promise does, or with the signal's reason when that comes first. */
function raceAbort<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const aborted = () => reject(signal.reason as Error)
    signal.addEventListener('abort', aborted, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', aborted))
  })
}
