import type { FieldTotals, groupingFields } from '#events/search/calls.ts'
import { typeOfFile } from '#server/content/entries/conditions.ts'
import { type EntrySelection, isCopy, queryOptions } from '#server/content/entries/selectEntries.ts'
import { reclaimableOf, type RepeatedBytes, repeatedBy, repeatedBytes } from '#server/content/entries/totals.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { billedBytes } from '#server/content/snapshots/reading/billedBytes.ts'
import { asReclaimable, asSizes } from './sizesBySearch.ts'

type Field = (typeof groupingFields)[number]

/** The largest groups of entries with the same value of a field, by bytes. */
export async function byField(
  clickhouse: ClickHouse,
  selection: EntrySelection,
  field: Field,
  size: number,
): Promise<FieldTotals[]> {
  const { from, where, snapshot } = selection
  const rows = await clickhouse.rows<{ value: string; bytes: number; billed: number; count: number; repeated: number }>(
    sql`
      SELECT toString(${valueOf(field, selection)}) AS value, sum(toFloat64(greatest(size, 0))) AS bytes,
        sum(toFloat64(${billedBytes(snapshot)})) AS billed, count() AS count, ${repeatedBytes} AS repeated
      FROM ${from} WHERE ${where} GROUP BY value ORDER BY bytes DESC, count DESC, value LIMIT ${size}`,
    queryOptions(selection),
  )
  const hasLinks = rows.some(({ repeated }) => repeated > 0)
  const again = hasLinks
    ? await repeatedBy(clickhouse, selection, valueOf(field, selection))
    : new Map<string, RepeatedBytes>()
  const reclaimable = field === 'isDupe' ? await reclaimableOf(clickhouse, selection) : undefined
  const names = new Map(snapshot.volumes.map(({ volumeId, name }) => [String(volumeId), name]))
  const nameOf = (value: string) => (field === 'storageName' ? (names.get(value) ?? value) : value)
  return rows.map(({ value, bytes, billed, count }) => {
    const more = again.get(value) ?? { again: 0, billedAgain: 0 }
    return {
      field: nameOf(value),
      count,
      ...asSizes(bytes - more.again, billed - more.billedAgain),
      ...(value === 'true' && reclaimable && asReclaimable(reclaimable)),
    }
  })
}

function valueOf(field: Field, { snapshot }: EntrySelection): Sql {
  switch (field) {
    case 'storageName':
      return sql`volume`
    case 'isDupe':
      return sql`if(${isCopy(snapshot)}, 'true', 'false')`
    case 'fileType':
      return typeOfFile
    case 'extension':
      return sql`extension`
    case 'group':
      return sql`\`group\``
    case 'owner':
      return sql`owner`
  }
}
