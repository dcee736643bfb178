import { EventEmitter, once } from 'node:events'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { keyOf, type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { queryOptions, type Source } from './selectEntries.ts'

/**
 * Totals of entries: their number, their bytes, and the bytes of the files among them; an unknown size adds zero. `repeated` is above zero
 * if there may be several hard links of a file, whose bytes then count more than once.
 */
export type Totals = { count: number; bytes: number; fileBytes: number }
type CountedTotals = Totals & { repeated?: number }

/** Bytes that are above zero if any two of the files are hard links of each other: all but the first link of a storage have them. */
export const repeatedBytes = sql`sumIf(toFloat64(greatest(repeated_size, 0)), NOT is_directory)`

export const totalColumns = sql`
  count() AS count, sum(toFloat64(greatest(size, 0))) AS bytes,
  sumIf(toFloat64(greatest(size, 0)), NOT is_directory) AS fileBytes, ${repeatedBytes} AS repeated`

/** Totals being counted, by ClickHouse and entries. */
const underWay = new Map<string, Promise<CountedTotals>>()
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
  const totals =
    shared ??
    (await clickhouse.one<CountedTotals>(
      known ?? sql`SELECT ${totalColumns} FROM ${from} WHERE ${where}`,
      queryOptions(selection),
    ))
  const { count, bytes, fileBytes, repeated } = totals
  if (!known && !repeated) return { count, bytes, fileBytes }
  const [again = 0] = [...(await repeatedBy(clickhouse, selection, sql`''`)).values()]
  return { count, bytes: bytes - again, fileBytes: fileBytes - again }
}

/** Bytes of hard links beyond the first one of each file among the selected files, by the value of a column; values without any are left out. */
export async function repeatedBy(clickhouse: ClickHouse, selection: Source, value: Sql): Promise<Map<string, number>> {
  const { from, where } = selection
  const rows = await clickhouse.rows<{ value: string; again: number }>(
    sql`
      SELECT value, sum(more) AS again FROM (
        SELECT toString(${value}) AS value, sum(toFloat64(size)) - max(size) AS more FROM ${from}
        WHERE ${where} AND NOT is_directory AND link_count > 1 AND inode != 0 AND size > 0
        GROUP BY value, volume, device, inode HAVING count() > 1)
      GROUP BY value`,
    queryOptions(selection),
  )
  return new Map(rows.map((row) => [row.value, row.again]))
}

/** A screen requests a page and its totals at once, in either order: milliseconds that totals wait for a page. */
const pageWaitMs = 25
/** Emits the key of pages that begin to count totals. */
const pages = new EventEmitter().setMaxListeners(0)
const nextPage = (key: string): Promise<CountedTotals | undefined> =>
  once(pages, key, { signal: AbortSignal.timeout(pageWaitMs) }).then(
    ([totals]) => totals as Promise<CountedTotals>,
    () => undefined,
  )

/** Shares totals with requests for the same entries until they are counted. */
export function shareTotals(clickhouse: ClickHouse, selection: Source, totals: Promise<CountedTotals>): void {
  const key = keyFor(clickhouse, selection)
  underWay.set(key, totals)
  pages.emit(key, totals)
  const over = () => {
    if (underWay.get(key) === totals) underWay.delete(key)
  }
  void totals.then(over, over)
}
