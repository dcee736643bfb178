import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { type Sql, sql, text } from '#server/platform/clickhouse/sql.ts'
import { billedBytes, type WithBasis, billedOnce } from '#server/content/snapshots/reading/billedBytes.ts'
import { queryOptions, type Source, type EntrySelection, isCopy } from './selectEntries.ts'

/** Entries of a snapshot. */
export type WithSnapshot = Source & { snapshot: WithBasis }

/** Bytes of entries, of the files among them, and those of either that costs are for. Unknown sizes add zero. */
type Bytes = { bytes: number; fileBytes: number; billed: number; fileBilled: number }

/**
 * Number and bytes of entries; of files that all have copies, also the reclaimable bytes. `repeated` is above zero if there
 * may be several hard links of a file, whose bytes then count more than once.
 */
export type Totals = Bytes & { count: number; reclaimable?: Reclaimable }
/** Totals as the engine counts them. */
export type CountedTotals = Bytes & { count: number; repeated: number } & Partial<Reclaimable>

/** Bytes that are above zero if any two of the files are hard links of each other: all but the first link of a storage have them. */
export const repeatedBytes = sql`sumIf(toFloat64(greatest(repeated_size, 0)), NOT is_directory)`

const totalColumns = (snapshot: WithBasis): Sql => sql`
  count() AS count, sum(toFloat64(greatest(size, 0))) AS bytes,
  sumIf(toFloat64(greatest(size, 0)), NOT is_directory) AS fileBytes, sum(toFloat64(${billedBytes(snapshot)})) AS billed,
  sumIf(toFloat64(${billedBytes(snapshot)}), NOT is_directory) AS fileBilled, ${repeatedBytes} AS repeated`

/** A page with this number of entries, and those before it, by a key in rising order. */
type Page = { key: Sql; count: number }

/**
 * The totals of the selected entries as the engine counts them, in one read. Files that all have copies are counted by their sets.
 * `last` is a key up to which there are enough entries for the page, NULL if none is known: that of the last entry, or the
 * first one of as many sets.
 */
export function countTotals<More = unknown>(
  clickhouse: ClickHouse,
  selection: WithSnapshot,
  page?: Page,
): Promise<CountedTotals & More> {
  const { from, where, snapshot, areCopies } = selection
  const last = page ? sql`, ${lastOf(areCopies ? sql`first` : page.key, page.count)} AS last` : sql``
  const question = areCopies
    ? sql`
      SELECT sum(found) AS count, sum(content) AS bytes, bytes AS fileBytes, sum(paid) AS billed, billed AS fileBilled,
        sum(linked) AS repeated, ${freedOfSets}${last}
      FROM (
        SELECT count() AS found, sum(toFloat64(greatest(size, 0))) AS content, sum(toFloat64(${billedBytes(snapshot)})) AS paid,
          ${repeatedBytes} AS linked, ${freedOfSet(snapshot)}, ${page ? sql`min(${page.key})` : sql`0`} AS first
        FROM ${from} WHERE ${where} GROUP BY identification_hash)`
    : sql`SELECT ${totalColumns(snapshot)}${last} FROM ${from} WHERE ${where}`
  return clickhouse.one(question, queryOptions(selection))
}

const lastOf = (key: Sql, count: number): Sql => {
  const first = sql`groupArraySorted(${text(String(count))})(${key})`
  return sql`if(length(${first}) < ${count}, NULL, ${first}[${count}])`
}

/** Totals of the selected entries, which are `counted` if a page of them was. */
export async function totalsOf(
  clickhouse: ClickHouse,
  selection: WithSnapshot,
  counted?: CountedTotals,
): Promise<Totals> {
  const { count, bytes, fileBytes, billed, fileBilled, repeated, freed, billedFreed } =
    counted ?? (await countTotals(clickhouse, selection))
  const reclaimable = freed === undefined || billedFreed === undefined ? undefined : { freed, billedFreed }
  const totals = { count, bytes, fileBytes, billed, fileBilled, ...(reclaimable && { reclaimable }) }
  return repeated ? countLinksOnce(clickhouse, selection, totals) : totals
}

/** Totals of which some bytes are those of further hard links. */
async function countLinksOnce(
  clickhouse: ClickHouse,
  selection: WithSnapshot,
  { bytes, fileBytes, billed, fileBilled, ...others }: Totals,
): Promise<Totals> {
  const [more] = [...(await repeatedBy(clickhouse, selection, sql`''`)).values()]
  const { again = 0, billedAgain = 0 } = more ?? {}
  return {
    ...others,
    bytes: bytes - again,
    fileBytes: fileBytes - again,
    billed: billed - billedAgain,
    fileBilled: fileBilled - billedAgain,
  }
}

/** Bytes of hard links beyond the first one of each file: of their content, and those that costs are for. */
export type RepeatedBytes = { again: number; billedAgain: number }

/** Bytes of further hard links among the selected files, by the value of a column; values without any are left out. */
export async function repeatedBy(
  clickhouse: ClickHouse,
  selection: WithSnapshot,
  value: Sql,
): Promise<Map<string, RepeatedBytes>> {
  const { from, where, snapshot } = selection
  const rows = await clickhouse.rows<RepeatedBytes & { value: string }>(
    sql`
      SELECT value, sum(more) AS again, sum(billed_more) AS billedAgain FROM (
        SELECT toString(${value}) AS value, sum(toFloat64(size)) - max(size) AS more,
          sum(toFloat64(${billedBytes(snapshot)})) - max(${billedBytes(snapshot)}) AS billed_more FROM ${from}
        WHERE ${where} AND NOT is_directory AND link_count > 1 AND inode != 0 AND size > 0
        GROUP BY value, volume, device, inode HAVING count() > 1)
      GROUP BY value`,
    queryOptions(selection),
  )
  return new Map(rows.map(({ value, ...more }) => [value, more]))
}

/** Bytes of all copies but one of each set: of their content, and those that costs are for. */
export type Reclaimable = { freed: number; billedFreed: number }

/** Columns of `Reclaimable` for the entries of one set, and for several sets. Hard links share their bytes, so they count once. */
const freedOfSet = (snapshot: WithBasis): Sql => sql`
  ${allButOne(sql`greatest(counted_size, 0)`)} AS freed, ${allButOne(billedOnce(snapshot))} AS billed_freed`
const freedOfSets = sql`sum(freed) AS freed, sum(billed_freed) AS billedFreed`

const allButOne = (bytes: Sql): Sql => sql`sum(toFloat64(${bytes})) - max(${bytes})`

/** The reclaimable bytes of those of the selected files that have copies. Undefined for deleted files, which take no space. */
export async function reclaimableOf(
  clickhouse: ClickHouse,
  selection: EntrySelection,
): Promise<Reclaimable | undefined> {
  const { from, where, snapshot, deleted, volumes } = selection
  if (deleted !== false) return undefined
  return clickhouse.one<Reclaimable>(
    sql`
      SELECT ${freedOfSets} FROM (
        SELECT ${freedOfSet(snapshot)}
        FROM ${from} WHERE ${where} AND NOT is_directory AND ${isCopy(snapshot, volumes)} GROUP BY identification_hash)`,
    queryOptions(selection),
  )
}
