import type { DateInterval, DatePoint } from '#events/search/calls.ts'
import type { DateField } from '#events/search/filterRanges.ts'
import { dayOn } from '#events/search/relativeDays.ts'
import { type EntrySelection, queryOptions } from '#server/content/entries/selectEntries.ts'
import { isKnown, searchedTime, sortedSeconds } from '#server/content/entries/conditions.ts'
import { type RepeatedBytes, repeatedBy, repeatedBytes } from '#server/content/entries/totals.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { startOfDay, today } from '#server/platform/days.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import type { Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import { lastPeriods } from './periods.ts'

/** `before` is the first day after the last period, fixed or relative; by default that is after the day shown. */
type PeriodOptions = { dateField: DateField; dateIntervalType: DateInterval; size: number; before?: string | undefined }

/** The entries by period of a date: the last periods up to an end, or up to the day shown. */
export async function byPeriod(
  clickhouse: ClickHouse,
  selection: EntrySelection,
  { dateField, dateIntervalType, size, before: end }: PeriodOptions,
): Promise<DatePoint[]> {
  const { snapshot } = selection
  const before = end === undefined ? undefined : dayOn(end, snapshot.indexingDate)
  if (!snapshot.indexingDate && !before) return []
  const { starts, end: until } = lastPeriods(dateIntervalType, size, before ?? lastDay(snapshot), before !== undefined)
  const begins = starts.map(startOfDay)
  const column = searchedTime(dateField)
  const seconds = sql`toInt64(${sortedSeconds(column, snapshot)})`
  const period = sql`roundDown(${seconds}, ${begins})`
  const dated = {
    ...selection,
    where: sql`${selection.where} AND ${seconds} >= ${begins[0]} AND ${seconds} < ${startOfDay(until)} AND ${isKnown(column, snapshot)}`,
  }
  const counted = await clickhouse.rows<{ begin: number; bytes: number; count: number; repeated: number }>(
    sql`
      SELECT ${period} AS begin, sum(toFloat64(greatest(size, 0))) AS bytes, count() AS count,
        ${repeatedBytes} AS repeated
      FROM ${dated.from} WHERE ${dated.where}
      GROUP BY begin`,
    queryOptions(dated),
  )
  const hasLinks = counted.some(({ repeated }) => repeated > 0)
  const again = hasLinks ? await repeatedBy(clickhouse, dated, period) : new Map<string, RepeatedBytes>()
  const byBegin = new Map(
    counted.map(({ begin, bytes, count }) => [begin, { size: bytes - (again.get(String(begin))?.again ?? 0), count }]),
  )
  return starts.map((date) => ({ date, ...(byBegin.get(startOfDay(date)) ?? { size: 0, count: 0 }) }))
}

/** Files of a live state may be newer than the newest scan. */
const lastDay = ({ volumes, indexingDate }: Snapshot): string =>
  volumes.some(({ live }) => live) ? today() : indexingDate
