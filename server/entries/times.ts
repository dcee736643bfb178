import { type Sql, sql, text } from '#server/platform/clickhouse/sql.ts'
import { entryFields, type FieldsOf } from '#events/entries/fields.ts'
import { dayOn } from '#events/search/relativeDays.ts'
import { startOfDay } from '#server/platform/days.ts'
import type { Snapshot } from '#server/snapshots/reading/snapshotAt.ts'
import { given } from './conditions.ts'

/*
 * Known times of entries. A commit stores times that can't be right as zero (see `plausibleTime`); and accesses mean nothing in storages that
 * don't record them. Unknown times are in no range, have no age, and are shown as unknown.
 */

/**
 * Columns with a time; those of `below` are of folders only. `last_used` is the later of the last access and the last change, because
 * file systems seldom record the access of a change; it is unknown if the access is.
 */
export type TimeColumn =
  | (typeof entryFields)[FieldsOf<'moment' | 'folderMoment'>]['column']
  | 'modified_below'
  | 'accessed_below'
  | 'last_used'

export const ofAccess: readonly TimeColumn[] = ['accessed', 'last_access', 'accessed_below', 'last_used']

/** Storages of a snapshot whose access times mean nothing. */
export type Unrecorded = Pick<Snapshot, 'unrecordedAccess'>
/** Storages and day of a snapshot, for the dates of a search. */
type SearchedSnapshot = Pick<Snapshot, 'unrecordedAccess' | 'indexingDate'>

/** The time that searches compare. */
export const searchedTime = (field: FieldsOf<'moment'>): TimeColumn =>
  field === 'lastAccess' ? 'last_used' : entryFields[field].column

const momentOf = (column: TimeColumn): Sql =>
  column === 'last_used' ? sql`greatest(last_access, last_modified)` : text(column)

const secondsOf = (column: TimeColumn): Sql => sql`toUnixTimestamp(${momentOf(column)})`

/** Condition: a time of an entry is known. */
export function isKnown(column: TimeColumn, { unrecordedAccess }: Unrecorded): Sql {
  const isSet = sql`${secondsOf(column === 'last_used' ? 'last_access' : column)} > 0`
  return ofAccess.includes(column) && unrecordedAccess.length > 0
    ? sql`(${isSet} AND volume NOT IN ${unrecordedAccess})`
    : isSet
}

/** A time of an entry, NULL if unknown. */
export const knownMoment = (column: TimeColumn, unrecorded: Unrecorded): Sql =>
  sql`if(${isKnown(column, unrecorded)}, ${momentOf(column)}, NULL)`

/** Same, in seconds UTC. */
export const knownSeconds = (column: TimeColumn, unrecorded: Unrecorded): Sql =>
  sql`toUnixTimestamp(${knownMoment(column, unrecorded)})`

/** Seconds UTC to sort by; unknown times are before all others. */
export const sortedSeconds = (column: TimeColumn, unrecorded: Unrecorded): Sql =>
  ofAccess.includes(column) && unrecorded.unrecordedAccess.length > 0
    ? sql`if(${isKnown(column, unrecorded)}, ${secondsOf(column)}, 0)`
    : secondsOf(column)

/** A range of days of the server's time zone, from the first (inclusive) to the last (exclusive); fixed or relative to the snapshot. */
type Range = { after?: string | undefined; before?: string | undefined }

/** Conditions: a known time is within a range of days; none for a range without bounds. */
export function between(column: TimeColumn, { after, before }: Range, snapshot: SearchedSnapshot): Sql[] {
  const start = (day: string) => startOfDay(dayOn(day, snapshot.indexingDate))
  if (after === undefined && before === undefined) return []
  return [
    ...given(after, (day) => sql`${secondsOf(column)} >= ${start(day)}`),
    ...given(before, (day) => sql`${secondsOf(column)} < ${start(day)}`),
    isKnown(column, snapshot),
  ]
}
