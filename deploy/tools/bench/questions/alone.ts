import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { type QueryStarted, queries } from '#server/platform/clickhouse/runQuery.ts'
import { median } from '../../kit/samples.ts'
import type { Kind, Variant } from './kinds.ts'
import { forgetConditions, type QueryClient } from './queryClient.ts'

/**
 * Times of a variant over HTTP, and of its statements sent directly to the engine, one after another. `processor` is
 * the processor time of all processes for each run, including the client; other load on the machine has little effect
 * on it.
 */
export type VariantTimes = Variant & {
  http: number[]
  processor: number
  engine: number
  statements: QueryStarted[]
  failure?: string | undefined
}
export type KindTimes = { kind: Kind; variants: VariantTimes[] }

/** Limits of the number of runs of each variant, and the total time for a kind. */
const maxRounds = 20
const minRounds = 3
const maxKindMs = 30_000
/** Number of runs of each statement in the engine; the median counts. */
const engineRounds = 3

/** Measures each variant without concurrent queries, after a warm-up. */
export async function measureAlone(kind: Kind, client: QueryClient, clickhouse: ClickHouse): Promise<KindTimes> {
  const variants: VariantTimes[] = []
  for (const { name, paths } of kind.variants)
    variants.push({ name, paths, http: [], processor: 0, engine: 0, ...(await statementsOf(() => client.ask(paths))) })
  const answered = variants.filter(({ failure }) => failure === undefined)
  const started = performance.now()
  const enough = (rounds: number) => rounds >= minRounds && performance.now() - started >= maxKindMs
  for (let rounds = 0; rounds < maxRounds && !enough(rounds); rounds++)
    for (const variant of answered) {
      await forgetConditions(clickhouse)
      await askOnce(variant, client)
    }
  for (const variant of answered) {
    variant.processor /= variant.http.length
    variant.engine = await engineTime(variant.statements, clickhouse)
  }
  return { kind, variants }
}

async function askOnce(variant: VariantTimes, client: QueryClient): Promise<void> {
  const before = process.cpuUsage()
  const { milliseconds, failure } = await client.ask(variant.paths)
  variant.failure ??= failure
  const { user, system } = process.cpuUsage(before)
  variant.http.push(milliseconds)
  variant.processor += (user + system) / 1000
}

/** Records the statements that the server sends to ClickHouse for a query. */
async function statementsOf(ask: () => ReturnType<QueryClient['ask']>) {
  const statements: QueryStarted[] = []
  const note = (statement: unknown) => void statements.push(statement as QueryStarted)
  queries.subscribe(note)
  const { failure } = await ask()
  queries.unsubscribe(note)
  return { statements, failure }
}

async function engineTime(statements: QueryStarted[], clickhouse: ClickHouse): Promise<number> {
  const times: number[] = []
  while (times.length < engineRounds) {
    await forgetConditions(clickhouse)
    const started = performance.now()
    for (const statement of statements) await answerOf(statement, clickhouse)
    times.push(performance.now() - started)
  }
  return statements.length === 0 ? 0 : median(times)
}

/** Runs a statement. A large result was written to a file, and is again. */
async function answerOf({ question, format, intoFile }: QueryStarted, clickhouse: ClickHouse): Promise<void> {
  const options = { seconds: 600 }
  if (!intoFile) return void (await clickhouse.bytes(question, format, options))
  const file = join(tmpdir(), `dataintell-answer-${process.pid}`)
  await clickhouse.save(question, format, file, options)
  rmSync(file)
}
