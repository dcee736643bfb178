import { readReportTag, reportTagPrefix } from '#events/tags.ts'
import { type Sql, sql } from '#server/platform/sql.ts'

/** Whether an entry has any of the tags on a day. */
export const taggedWith = (tags: readonly string[], day: string): Sql => taggedSo(sql`tag IN ${tags}`, day)

/** Whether any of the reports found an entry; a report is given by its name, or by the tag of one run of it. */
export function foundBy(reports: readonly string[], day: string): Sql {
  const names = reports.filter((report) => !readReportTag(report))
  const isNamed = sql`startsWith(tag, ${reportTagPrefix}) AND ${reportName} IN ${names}`
  return taggedSo(names.length === 0 ? sql`tag IN ${reports}` : sql`(tag IN ${reports} OR (${isNamed}))`, day)
}

/** The name in the tag of a report; what is read of other tags means nothing. */
export const reportName = sql`extract(tag, ${`^${reportTagPrefix.replaceAll('.', String.raw`\.`)}(?s:(.+))\\.\\d{4}-\\d\\d-\\d\\d$`})`

/**
 * Whether an entry has a tag of some kind on a day. By the key, which both tables share: the few or many places that are
 * tagged are found without reading all entries.
 */
export const taggedSo = (condition: Sql, day: string): Sql => sql`
  (volume, parent_path, name, is_directory) IN (
    SELECT volume, parent_path, name, is_directory FROM entry_tags FINAL WHERE ${condition} AND ${validOn(day)})`

/** Which rows of `entry_tags` count on a day. */
export const validOn = (day: string): Sql => sql`(from_date <= ${day} AND to_date > ${day})`
