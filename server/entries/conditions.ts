import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { folderOf, nameOf, placeHash } from './places.ts'
import { readReportTag, reportTagPrefix } from '#events/tags.ts'

/** The condition for a value; empty for undefined. */
export const given = <T>(value: T | undefined, condition: (value: T) => Sql): Sql[] =>
  value === undefined ? [] : [condition(value)]

/**
 * Condition: the text matches a typed pattern, ignoring case. `*` is any characters, `?` exactly one; without either,
 * the whole text must match.
 */
export const matches = (column: Sql, typed: string): Sql => sql`${column} ILIKE ${likeOf(typed)}`

/** Same, but a pattern without `*` or `?` matches anywhere in the text. */
export const contains = (column: Sql, typed: string): Sql =>
  sql`${column} ILIKE ${isPattern(typed) ? likeOf(typed) : `%${likeOf(typed)}%`}`

/** Condition: the text starts with the typed characters, ignoring case; `*` and `?` are literal. */
export const beginsWith = (column: Sql, typed: string): Sql => sql`${column} ILIKE ${`${literal(typed)}%`}`

const isPattern = (typed: string): boolean => /[*?]/.test(typed)

const literal = (typed: string): string => typed.replaceAll(/[\\%_]/g, String.raw`\$&`)
const likeOf = (typed: string): string => literal(typed).replaceAll('*', '%').replaceAll('?', '_')

/** The `parent_path` of a folder's children. */
export const childrenOf = (folder: string): string => (folder.endsWith('/') ? folder : `${folder}/`)

/** Condition: a row is below a folder, at any depth. */
export const below = (folder: string): Sql => sql`startsWith(parent_path, ${childrenOf(folder)})`

/** Condition: a row is the folder itself; `/` is the root of a storage. */
export function isFolder(folder: string): Sql {
  const path = childrenOf(folder).slice(0, -1)
  return sql`(is_directory AND parent_path = ${folderOf(path)} AND name = ${nameOf(path)})`
}

/** Condition: an entry has any of the tags on a day. */
export const taggedWith = (tags: readonly string[], day: string): Sql => hasTagWhere(sql`tag IN ${tags}`, day)

/** Condition: any of the reports found the entry; a report is given by its name or by the tag of one run. */
export function taggedByReports(reports: readonly string[], day: string): Sql {
  const runs = reports.filter((report) => readReportTag(report))
  const names = reports.filter((report) => !readReportTag(report))
  const isNamed = sql`(startsWith(tag, ${reportTagPrefix}) AND ${reportName} IN ${names})`
  const isRun = sql`tag IN ${runs}`
  if (names.length === 0) return hasTagWhere(isRun, day)
  return hasTagWhere(runs.length === 0 ? isNamed : sql`(${isRun} OR ${isNamed})`, day)
}

/** The name in a report's tag; meaningless for other tags. */
export const reportName = sql`extract(tag, ${`^${reportTagPrefix.replaceAll('.', String.raw`\.`)}(?s:(.+))\\.\\d{4}-\\d\\d-\\d\\d$`})`

/**
 * Condition: an entry has a matching tag on a day. Entries are stored by folder, so with few tags the tagged folders
 * narrow the search; and one number per entry is compared, which stays cheap with millions of tags.
 */
export const hasTagWhere = (condition: Sql, day: string): Sql => {
  const isMeant = sql`${condition} AND ${validOn(day)}`
  return sql`(
    parent_path IN (SELECT parent_path FROM entry_tags WHERE ${isMeant})
    AND ${placeHash} IN (SELECT ${placeHash} FROM entry_tags FINAL WHERE ${isMeant}))`
}

/** Condition on rows of `entry_tags` that apply on a day; false for an empty day, before the first snapshot. */
export const validOn = (day: string): Sql => (day === '' ? sql`0` : sql`(from_date <= ${day} AND to_date > ${day})`)
