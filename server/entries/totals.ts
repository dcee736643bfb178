import { EventEmitter, once } from 'node:events'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { keyOf, type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { queryOptions, type Source } from './queryOptions.ts'

/** What entries add up to: how many they are, the bytes of all, and those of the files among them; an unknown size adds none. */
export type Totals = { count: number; bytes: number; fileBytes: number }

/** The columns of `Totals`. */
export const totalColumns = sql`
  count() AS count, sum(greatest(size, 0)) AS bytes, sumIf(greatest(size, 0), NOT is_directory) AS fileBytes`

/** Totals that are being counted, of which ClickHouse and which entries. */
const underWay = new Map<string, Promise<Totals>>()
const keyFor = ({ address }: ClickHouse, { from, where }: Source) => `${address} ${keyOf(sql`${from} ${where}`)}`

/**
 * What all that is meant adds up to. While a page of the same is looked for, its answer is waited for: it counts them, too.
 * `known` tells the same of what was counted before, and is asked instead of the entries.
 */
export async function totalsOf(clickhouse: ClickHouse, meant: Source, known?: Sql): Promise<Totals> {
  const key = keyFor(clickhouse, meant)
  const counting = underWay.get(key) ?? (meant.heavy ? nextPage(key) : undefined)
  const told = await counting?.catch(() => undefined)
  const { from, where } = meant
  return told ?? clickhouse.one(known ?? sql`SELECT ${totalColumns} FROM ${from} WHERE ${where}`, queryOptions(meant))
}

/** A screen asks for a page and its totals at once, and which comes first is chance: so long totals wait for a page. Milliseconds. */
const pageMayCome = 25
/** Pages that begin to count totals, by whose. */
const pages = new EventEmitter().setMaxListeners(0)
const nextPage = (key: string): Promise<Totals | undefined> =>
  once(pages, key, { signal: AbortSignal.timeout(pageMayCome) }).then(
    ([totals]) => totals as Promise<Totals>,
    () => undefined,
  )

/** Tells those who ask for the same totals, until these are counted. */
export function shareTotals(clickhouse: ClickHouse, meant: Source, totals: Promise<Totals>): void {
  const key = keyFor(clickhouse, meant)
  underWay.set(key, totals)
  pages.emit(key, totals)
  const over = () => {
    if (underWay.get(key) === totals) underWay.delete(key)
  }
  void totals.then(over, over)
}
