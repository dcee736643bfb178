import { EventEmitter, once } from 'node:events'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { keyOf, type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { queryOptions, type Source } from './selectEntries.ts'

/** Totals of entries: their number, their bytes, and the bytes of the files among them; an unknown size adds zero. */
export type Totals = { count: number; bytes: number; fileBytes: number }

export const totalColumns = sql`
  count() AS count, sum(greatest(size, 0)) AS bytes, sumIf(greatest(size, 0), NOT is_directory) AS fileBytes`

/** Totals being counted, by ClickHouse and entries. */
const underWay = new Map<string, Promise<Totals>>()
const keyFor = ({ address }: ClickHouse, { from, where }: Source) => `${address} ${keyOf(sql`${from} ${where}`)}`

/**
 * Totals of the selected entries. If a page of the same entries is being read, waits for its result, which includes the
 * totals. `known` is a query of precomputed counts to use instead of the entries.
 */
export async function totalsOf(clickhouse: ClickHouse, selection: Source, known?: Sql): Promise<Totals> {
  const key = keyFor(clickhouse, selection)
  const counting = underWay.get(key) ?? (selection.heavy ? nextPage(key) : undefined)
  const shared = await counting?.catch(() => undefined)
  const { from, where } = selection
  return (
    shared ?? clickhouse.one(known ?? sql`SELECT ${totalColumns} FROM ${from} WHERE ${where}`, queryOptions(selection))
  )
}

/** A screen requests a page and its totals at once, in either order: milliseconds that totals wait for a page. */
const pageWaitMs = 25
/** Emits the key of pages that begin to count totals. */
const pages = new EventEmitter().setMaxListeners(0)
const nextPage = (key: string): Promise<Totals | undefined> =>
  once(pages, key, { signal: AbortSignal.timeout(pageWaitMs) }).then(
    ([totals]) => totals as Promise<Totals>,
    () => undefined,
  )

/** Shares totals with requests for the same entries until they are counted. */
export function shareTotals(clickhouse: ClickHouse, selection: Source, totals: Promise<Totals>): void {
  const key = keyFor(clickhouse, selection)
  underWay.set(key, totals)
  pages.emit(key, totals)
  const over = () => {
    if (underWay.get(key) === totals) underWay.delete(key)
  }
  void totals.then(over, over)
}
