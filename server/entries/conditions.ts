import { startOfDay } from '#server/platform/days.ts'
import { type Sql, sql } from '#server/platform/sql.ts'

/** The condition that a value puts; none when there is no value. */
export const given = <T>(value: T | undefined, condition: (value: T) => Sql): Sql[] =>
  value === undefined ? [] : [condition(value)]

/** When a zero is no moment but says that it is unknown: always, or of what could not be read and so has no size, either. */
export type Zero = 'unknown' | 'unknown without size'

/** Whether a moment of an entry is known. */
export const isKnown = (column: Sql, zero: Zero): Sql =>
  zero === 'unknown' ? sql`toUnixTimestamp(${column}) > 0` : sql`(toUnixTimestamp(${column}) > 0 OR size >= 0)`

/** From the first day on and before the last; what is unknown is neither. */
export function between(column: Sql, after: string | undefined, before: string | undefined, zero: Zero): Sql[] {
  const seconds = sql`toUnixTimestamp(${column})`
  return [
    ...given(after, (day) => sql`${seconds} >= ${startOfDay(day)}`),
    ...given(before, (day) => sql`${seconds} < ${startOfDay(day)}`),
    ...((after ?? before) === undefined ? [] : [isKnown(column, zero)]),
  ]
}
