import { render } from '#server/platform/clickhouse/sql.ts'
import type { KindTimes, VariantTimes } from './alone.ts'
import type { LoadTimes } from './load.ts'
import { median, percentile, sum } from '../../kit/samples.ts'

/** Maximum milliseconds of light queries under load, for 95 of 100. */
const lightTargetMs = 150
/** Maximum ratio to the engine's time, if that is at least `minEngineMs`. */
const maxRatio = 1.3
const minEngineMs = 50

const wide = 40
const cells = (name: string, ...values: string[]) =>
  name.padEnd(wide) + values.map((value) => value.padStart(10)).join('')
const ms = (value: number) => (Number.isNaN(value) ? '–' : `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`)

export const printAloneHead = () =>
  console.log(`\n${cells('Alone', 'median', '95th', 'processor', 'engine', 'ratio', 'target')}`)

export function printAlone({ kind, variants }: KindTimes, { large, each }: { large: boolean; each: boolean }): void {
  const http = variants.flatMap(({ http }) => http)
  const answered = variants.filter(({ failure }) => failure === undefined)
  const aim = kind.aims[large ? 1 : 0]
  console.log(`${cells(kind.name, ...line(http, answered), ms(aim))}  ${verdict(http, aim)}${tooFar(answered)}`)
  if (each) for (const variant of variants) console.log(cells(`  ${variant.name}`, ...line(variant.http, [variant])))
  for (const { name, failure } of variants) if (failure !== undefined) console.log(`  ${name} failed: ${failure}`)
}

/** The engine's time is the average over all variants, the ratio that of the sums of their medians. */
function line(http: number[], variants: VariantTimes[]): string[] {
  const engine = sum(variants.map(({ engine }) => engine))
  const ratio = ratioOf(variants)
  const shown = engine === 0 ? Number.NaN : engine / variants.length
  return [
    ms(median(http)),
    ms(percentile(http, 0.95)),
    ms(sum(variants.map(({ processor }) => processor)) / variants.length),
    ms(shown),
    Number.isFinite(ratio) ? `${ratio.toFixed(2)} ×` : '–',
  ]
}

const ratioOf = (variants: VariantTimes[]) =>
  sum(variants.map(({ http }) => median(http))) / sum(variants.map(({ engine }) => engine))

function verdict(http: number[], aim: number): string {
  if (http.length === 0) return 'not answered'
  if (percentile(http, 0.95) <= aim) return 'met'
  return median(http) <= aim ? 'met by the median only' : 'MISSED'
}

const tooFar = (variants: VariantTimes[]) =>
  sum(variants.map(({ engine }) => engine)) / variants.length >= minEngineMs && ratioOf(variants) > maxRatio
    ? `, more than ${maxRatio} × the engine`
    : ''

export function printLoad(loaded: LoadTimes[], scans: number): void {
  console.log(`\n${cells(`Eight clients, ${scans} scans ingested`, 'median', '95th', 'queries', 'target')}`)
  for (const { kind, http, refused } of loaded) {
    const aim = kind.light ? [ms(lightTargetMs)] : ['–']
    const judged = kind.light ? `  ${verdict(http, lightTargetMs)}` : ''
    console.log(cells(kind.name, ms(median(http)), ms(percentile(http, 0.95)), String(http.length), ...aim) + judged)
    for (const [why, times] of refused) console.log(`  ${times} refused: ${why}`)
  }
}

/** Prints the statements of each variant, for tuning. */
export function printStatements({ kind, variants }: KindTimes): void {
  for (const { name, statements, engine } of variants) {
    console.log(`\n-- ${kind.name}: ${name}, ${ms(engine)}`)
    for (const { question } of statements) {
      const { query, query_params } = render(question)
      console.log(`${query}\n-- ${JSON.stringify(query_params, asText)}`)
    }
  }
}

const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
