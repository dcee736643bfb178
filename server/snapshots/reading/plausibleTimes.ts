import { type Sql, sql, text } from '#server/platform/clickhouse/sql.ts'

/**
 * The value of a time of access or change that is not known, in seconds: the largest one that is stored. Zero is a real time on disks.
 * Times of creation have zero instead.
 */
export const unknownTime = 4_294_967_295
const unknown = text(String(unknownTime))

/** Tolerance for the clocks of storages, in seconds. */
const toleranceSeconds = 86_400
/** Times in the years 0 and 1 are placeholders. */
const endOfYearOne = text('-62104060800')

/** The latest plausible time in a scan; unlimited if its start is unknown. */
export const latestTimeOf = (startedAt: Date | null): number =>
  startedAt ? Math.floor(startedAt.getTime() / 1_000) + toleranceSeconds : unknownTime - 1

/**
 * Columns of staged entries, in which times that can't be true are unknown: after the scan, in the year 1 or before, and missing times of
 * objects.
 */
export const withPlausibleTimes = (latest: number): Sql => sql`* REPLACE (
  ${plausible(text('modified'), latest, unknown)} AS modified, ${plausible(text('accessed'), latest, unknown)} AS accessed,
  if(${isImplausible(text('created'), latest)}, 0, created) AS created)`

const plausible = (column: Sql, latest: number, otherwise: Sql): Sql =>
  sql`if(size >= 0 AND (${isImplausible(column, latest)} OR (${column} = 0 AND inode = 0 AND NOT is_directory)), ${otherwise}, ${column})`

const isImplausible = (column: Sql, latest: number): Sql =>
  sql`(${column} > ${text(String(latest))} OR ${column} < ${endOfYearOne})`

/** Condition: a time is not the one of `unknownTime`. */
export const isPlausible = (column: Sql): Sql => sql`toUnixTimestamp(${column}) != ${unknown}`
