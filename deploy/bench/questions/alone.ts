import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { type QueryStarted, queries } from '#server/platform/clickhouse/runQuery.ts'
import type { Asker } from './asker.ts'
import { forgetConditions } from './forgetConditions.ts'
import type { Kind, Variant } from './kinds.ts'
import { median, type Samples } from './samples.ts'

/**
 * How long a variant took over HTTP, and its statements when the engine alone is asked, one after another. `processor` is
 * what each time took of all processors together, the asking included: other work on the machine changes it little.
 */
export type VariantTimes = Variant & {
  http: Samples
  processor: number
  engine: number
  statements: QueryStarted[]
  failure?: string | undefined
}
export type KindTimes = { kind: Kind; variants: VariantTimes[] }

/** All variants of a kind are asked in turn, so often, or until so many milliseconds were spent on the kind. */
const mostRounds = 20
const leastRounds = 3
const timeForKind = 30_000
/** The engine answers each statement so often; the median counts. */
const engineRounds = 3

/** Asks each variant while nothing else is asked; the first time is not counted. */
export async function measureAlone(kind: Kind, asker: Asker, clickhouse: ClickHouse): Promise<KindTimes> {
  const variants: VariantTimes[] = []
  for (const { name, paths } of kind.variants)
    variants.push({ name, paths, http: [], processor: 0, engine: 0, ...(await statementsOf(() => asker.ask(paths))) })
  const answered = variants.filter(({ failure }) => failure === undefined)
  const started = performance.now()
  const enough = (rounds: number) => rounds >= leastRounds && performance.now() - started >= timeForKind
  for (let rounds = 0; rounds < mostRounds && !enough(rounds); rounds++)
    for (const variant of answered) {
      await forgetConditions(clickhouse)
      await askOnce(variant, asker)
    }
  for (const variant of answered) {
    variant.processor /= variant.http.length
    variant.engine = await engineTime(variant.statements, clickhouse)
  }
  return { kind, variants }
}

async function askOnce(variant: VariantTimes, asker: Asker): Promise<void> {
  const before = process.cpuUsage()
  const { milliseconds, failure } = await asker.ask(variant.paths)
  variant.failure ??= failure
  const { user, system } = process.cpuUsage(before)
  variant.http.push(milliseconds)
  variant.processor += (user + system) / 1000
}

/** What the server asks of ClickHouse for it. */
async function statementsOf(ask: () => ReturnType<Asker['ask']>) {
  const statements: QueryStarted[] = []
  const note = (asked: unknown) => void statements.push(asked as QueryStarted)
  queries.subscribe(note)
  const { failure } = await ask()
  queries.unsubscribe(note)
  return { statements, failure }
}

async function engineTime(statements: QueryStarted[], clickhouse: ClickHouse): Promise<number> {
  const times: Samples = []
  while (times.length < engineRounds) {
    await forgetConditions(clickhouse)
    const started = performance.now()
    for (const statement of statements) await answerOf(statement, clickhouse)
    times.push(performance.now() - started)
  }
  return statements.length === 0 ? 0 : median(times)
}

/** What was large went into a file, and does so again. */
async function answerOf({ question, format, intoFile }: QueryStarted, clickhouse: ClickHouse): Promise<void> {
  const asked = { seconds: 600 }
  if (!intoFile) return void (await clickhouse.bytes(question, format, asked))
  const file = join(tmpdir(), `dataintell-answer-${process.pid}`)
  await clickhouse.save(question, format, file, asked)
  rmSync(file)
}
