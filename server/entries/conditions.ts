import { startOfDay } from '#server/platform/days.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'

/** The condition for a value; empty for undefined. */
export const given = <T>(value: T | undefined, condition: (value: T) => Sql): Sql[] =>
  value === undefined ? [] : [condition(value)]

/** Meaning of a zero time: always unknown, or unknown for entries that could not be read. */
export type ZeroTime = 'unknown' | `unknown if unread ${'files' | 'folders' | 'entries'}`

/**
 * A readable file has a size; a folder, whose size is that of the files below it, has an inode. Inodes compress badly,
 * so they are read only if folders are selected.
 */
const isRead: Record<Exclude<ZeroTime, 'unknown'>, Sql> = {
  'unknown if unread files': sql`size >= 0`,
  'unknown if unread folders': sql`inode != 0`,
  'unknown if unread entries': sql`if(is_directory, inode != 0, size >= 0)`,
}

/** Condition: a time of an entry is known. */
export const isKnown = (column: Sql, zero: ZeroTime): Sql =>
  zero === 'unknown' ? sql`toUnixTimestamp(${column}) > 0` : sql`(toUnixTimestamp(${column}) > 0 OR ${isRead[zero]})`

/** A time of an entry, NULL if unknown. */
export const knownMoment = (column: Sql, zero: ZeroTime): Sql => sql`if(${isKnown(column, zero)}, ${column}, NULL)`

/** Same, in seconds UTC. */
export const knownSeconds = (column: Sql, zero: ZeroTime): Sql => sql`toUnixTimestamp(${knownMoment(column, zero)})`

/**
 * From the first day (inclusive) to the last (exclusive); unknown times match neither bound. Days after the very first
 * one exclude zero.
 */
export function between(column: Sql, after: string | undefined, before: string | undefined, zero: ZeroTime): Sql[] {
  const seconds = sql`toUnixTimestamp(${column})`
  const hasZero = after === undefined ? before !== undefined : startOfDay(after) <= 0
  return [
    ...given(after, (day) => sql`${seconds} >= ${startOfDay(day)}`),
    ...given(before, (day) => sql`${seconds} < ${startOfDay(day)}`),
    ...(hasZero ? [isKnown(column, zero)] : []),
  ]
}
