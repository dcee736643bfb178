import { readReportTag, reportTagPrefix } from '#events/tags.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { placeHash } from './places.ts'

/** Whether an entry has any of the tags on a day. */
export const taggedWith = (tags: readonly string[], day: string): Sql => taggedSo(sql`tag IN ${tags}`, day)

/** Whether any of the reports found an entry; a report is given by its name, or by the tag of one run of it. */
export function foundBy(reports: readonly string[], day: string): Sql {
  const runs = reports.filter((report) => readReportTag(report))
  const names = reports.filter((report) => !readReportTag(report))
  const isNamed = sql`(startsWith(tag, ${reportTagPrefix}) AND ${reportName} IN ${names})`
  const isRun = sql`tag IN ${runs}`
  if (names.length === 0) return taggedSo(isRun, day)
  return taggedSo(runs.length === 0 ? isNamed : sql`(${isRun} OR ${isNamed})`, day)
}

/** The name in the tag of a report; what is read of other tags means nothing. */
export const reportName = sql`extract(tag, ${`^${reportTagPrefix.replaceAll('.', String.raw`\.`)}(?s:(.+))\\.\\d{4}-\\d\\d-\\d\\d$`})`

/**
 * Whether an entry has a tag of some kind on a day. Entries lie by folder, so those of the tagged folders lead to few of
 * them when few are tagged; and one number an entry is compared, which stays cheap when millions are.
 */
export const taggedSo = (condition: Sql, day: string): Sql => {
  const isMeant = sql`${condition} AND ${validOn(day)}`
  return sql`(
    parent_path IN (SELECT parent_path FROM entry_tags WHERE ${isMeant})
    AND ${placeHash} IN (SELECT ${placeHash} FROM entry_tags FINAL WHERE ${isMeant}))`
}

/** Which rows of `entry_tags` count on a day; none while nothing is indexed, which is no day. */
export const validOn = (day: string): Sql => (day === '' ? sql`0` : sql`(from_date <= ${day} AND to_date > ${day})`)
