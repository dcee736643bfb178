import { startOfDay } from '#server/platform/days.ts'
import { type Sql, sql } from '#server/platform/sql.ts'

/** The condition that a value puts; none when there is no value. */
export const given = <T>(value: T | undefined, condition: (value: T) => Sql): Sql[] =>
  value === undefined ? [] : [condition(value)]

/** From the first day on and before the last; a zero can mean that the moment is unknown. */
export function between(
  column: Sql,
  after: string | undefined,
  before: string | undefined,
  zero?: 'known only',
): Sql[] {
  const seconds = sql`toUnixTimestamp(${column})`
  return [
    ...given(after, (day) => sql`${seconds} >= ${startOfDay(day)}`),
    ...given(before, (day) => sql`${seconds} < ${startOfDay(day)}`),
    ...(zero && (after ?? before) !== undefined ? [sql`${seconds} > 0`] : []),
  ]
}
