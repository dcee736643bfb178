import { startOfDay } from '#server/platform/days.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'

/** The condition that a value puts; none when there is no value. */
export const given = <T>(value: T | undefined, condition: (value: T) => Sql): Sql[] =>
  value === undefined ? [] : [condition(value)]

/** When a zero is no moment but says that it is unknown: always, or of what could not be read. */
export type Zero = 'unknown' | `unknown of unread ${'files' | 'folders' | 'entries'}`

/**
 * A file that could be read has a size, and a folder, whose size is that of the files below it, an inode. Inodes hardly
 * pack, so they are read only where folders can be meant.
 */
const isRead: Record<Exclude<Zero, 'unknown'>, Sql> = {
  'unknown of unread files': sql`size >= 0`,
  'unknown of unread folders': sql`inode != 0`,
  'unknown of unread entries': sql`if(is_directory, inode != 0, size >= 0)`,
}

/** Whether a moment of an entry is known. */
export const isKnown = (column: Sql, zero: Zero): Sql =>
  zero === 'unknown' ? sql`toUnixTimestamp(${column}) > 0` : sql`(toUnixTimestamp(${column}) > 0 OR ${isRead[zero]})`

/** A moment of an entry, NULL where it is unknown. */
export const knownMoment = (column: Sql, zero: Zero): Sql => sql`if(${isKnown(column, zero)}, ${column}, NULL)`

/** Likewise in seconds UTC. */
export const knownSeconds = (column: Sql, zero: Zero): Sql => sql`toUnixTimestamp(${knownMoment(column, zero)})`

/** From the first day on and before the last; what is unknown is neither. Days after the first one of all have no zero. */
export function between(column: Sql, after: string | undefined, before: string | undefined, zero: Zero): Sql[] {
  const seconds = sql`toUnixTimestamp(${column})`
  const hasZero = after === undefined ? before !== undefined : startOfDay(after) <= 0
  return [
    ...given(after, (day) => sql`${seconds} >= ${startOfDay(day)}`),
    ...given(before, (day) => sql`${seconds} < ${startOfDay(day)}`),
    ...(hasZero ? [isKnown(column, zero)] : []),
  ]
}
