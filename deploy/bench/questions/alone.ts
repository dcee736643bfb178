import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { type AskedQuestion, askedQuestions } from '#server/platform/clickhouse/ask.ts'
import type { Asker } from './asker.ts'
import type { Kind, Variant } from './kinds.ts'
import { median, type Samples, sum } from './samples.ts'

/**
 * How long a variant took over HTTP, and its statements when the engine alone is asked, one after another. `processor` is
 * what each time took of all processors together, the asking included: other work on the machine changes it little.
 */
export type VariantTimes = {
  name: string
  http: Samples
  processor: number
  engine: number
  statements: AskedQuestion[]
  failure?: string
}
export type KindTimes = { kind: Kind; variants: VariantTimes[] }

/** Each variant is asked once unmeasured, then so often, or until so many milliseconds were spent on it. */
const mostRounds = 20
const leastRounds = 3
const timeForEach = 6_000
/** The engine answers each statement so often; the median counts. */
const engineRounds = 3

/** Asks each variant while nothing else is asked. */
export async function measureAlone(kind: Kind, asker: Asker, clickhouse: ClickHouse): Promise<KindTimes> {
  const variants: VariantTimes[] = []
  for (const variant of kind.variants) variants.push(await measureVariant(variant, asker, clickhouse))
  return { kind, variants }
}

async function measureVariant({ name, paths }: Variant, asker: Asker, clickhouse: ClickHouse): Promise<VariantTimes> {
  const { statements, failure } = await statementsOf(() => asker.ask(paths))
  if (failure !== undefined) return { name, http: [], processor: 0, engine: 0, statements, failure }
  const http: Samples = []
  const enough = () => http.length >= mostRounds || (http.length >= leastRounds && sum(http) >= timeForEach)
  const before = process.cpuUsage()
  while (!enough()) http.push((await asker.ask(paths)).milliseconds)
  const { user, system } = process.cpuUsage(before)
  const processor = (user + system) / 1000 / http.length
  const engine: number[] = []
  for (const statement of statements) engine.push(await engineTime(statement, clickhouse))
  return { name, http, processor, engine: sum(engine), statements }
}

/** What the server asks of ClickHouse for it. */
async function statementsOf(ask: () => ReturnType<Asker['ask']>) {
  const statements: AskedQuestion[] = []
  const note = (asked: unknown) => void statements.push(asked as AskedQuestion)
  askedQuestions.subscribe(note)
  const { failure } = await ask()
  askedQuestions.unsubscribe(note)
  return { statements, failure }
}

async function engineTime(statement: AskedQuestion, clickhouse: ClickHouse): Promise<number> {
  const times: Samples = []
  while (times.length < engineRounds) {
    const started = performance.now()
    await answerOf(statement, clickhouse)
    times.push(performance.now() - started)
  }
  return median(times)
}

/** What was large went into a file, and does so again. */
async function answerOf({ question, format, intoFile }: AskedQuestion, clickhouse: ClickHouse): Promise<void> {
  const asked = { seconds: 600 }
  if (!intoFile) return void (await clickhouse.bytes(question, format, asked))
  const file = join(tmpdir(), `dataintell-answer-${process.pid}`)
  await clickhouse.save(question, format, file, asked)
  rmSync(file)
}
