import { entryFields, type FieldsOf } from '#events/entries/fields.ts'
import { bareExtension } from '#events/search/extensions.ts'
import { extensionsOf, fileTypeNames, otherType, typedExtensions } from '#events/search/fileTypes.ts'
import { isPattern, patternParts, wordsOf } from '#events/search/patterns.ts'
import { dayOn } from '#events/search/relativeDays.ts'
import { readReportTag, reportTagPrefix } from '#events/tags.ts'
import { all, join, type Sql, sql, typed, text } from '#server/platform/clickhouse/sql.ts'
import { composed, normalized } from '#server/platform/clickhouse/paths.ts'
import { startOfDay } from '#server/platform/days.ts'
import type { Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import { withinScope } from '#server/content/snapshots/reading/withinScope.ts'
import { folderOf, nameOf, placeHash } from './places.ts'

/** The condition for a value; empty for undefined. */
export const given = <T>(value: T | undefined, condition: (value: T) => Sql): Sql[] =>
  value === undefined ? [] : [condition(value)]

/**
 * Condition: the text matches a typed pattern as a whole, ignoring case. `*` is any characters, `?` exactly one. Folding may
 * turn one character into two (`ß` into `ss`), so `?` also stands for a character of the text itself. Indexes are of keys, so
 * the key is first compared with the parts between the wildcards.
 */
export function matches({ raw, key }: SearchText, typed: string): Sql {
  const parts = patternParts(typed)
  const like = likeOf(parts)
  const isFound = isLike(key, like)
  if (!parts.some(({ text, isWildcard }) => isWildcard && text === '?')) return isFound
  const near = likeOf(parts.map((part) => (part.isWildcard ? { ...part, text: '*' } : part)))
  return sql`(${isLike(key, near)} AND (${isFound} OR (NOT isValidASCII(${raw}) AND ${composed(raw)} ILIKE ${like})))`
}

/** Same for an account, without escapes: a domain is separated by a backslash, as in `CORP\ana`, and no account has `*` or `?`. */
export const matchesAccount = (column: Sql, typed: string): Sql =>
  matches(searchText(column), typed.replaceAll('\\', String.raw`\\`))

/** Same as `matches`, but a text without wildcards matches if all its words are in the text, in any order. */
export const contains = (text: SearchText, typed: string): Sql =>
  isPattern(typed)
    ? matches(text, typed)
    : all([...new Set(wordsOf(typed))].map((word) => isLike(text.key, `%${likeText(word)}%`)))

/** Condition: the path of an entry contains a typed part, or matches a typed pattern as a whole. */
export const hasPath = (typed: string): Sql =>
  isPattern(typed) ? matches(pathText, typed) : isLike(pathText.key, `%${likeText(typed)}%`)

/** Condition: the text starts with the typed characters, ignoring case; `*` and `?` are literal. */
export const beginsWith = ({ key }: SearchText, typed: string): Sql => sql`startsWith(${key}, ${folded(typed)})`

/** Three literal backslashes. */
const backslashes = '\\'.repeat(6)

/**
 * The engine's index of names misses those with three backslashes before a wildcard (ClickHouse issue 117858), so it isn't used for
 * them.
 */
const isLike = (key: Sql, like: string): Sql =>
  like.includes(backslashes) ? sql`identity(${key}) LIKE ${folded(like)}` : sql`${key} LIKE ${folded(like)}`

const likeText = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`)
const likeOf = (parts: ReturnType<typeof patternParts>): string =>
  parts.map(({ text, isWildcard }) => (isWildcard ? (text === '*' ? '%' : '_') : likeText(text))).join('')

/**
 * Condition: a file has one of the written extensions, or an entry has none for an empty one. The column has the last part;
 * an extension of several parts, such as `tar.gz`, ends the name.
 */
export function hasExtension(written: readonly string[]): Sql {
  const bare = written.map(bareExtension)
  const simple = bare.filter((one) => !one.includes('.'))
  const lastPart = folded(sql`extension`)
  const compound = bare
    .filter((one) => one.includes('.'))
    .map((one) => {
      const last = one.slice(one.lastIndexOf('.') + 1)
      return sql`(${lastPart} = ${folded(last)} AND trimRight(${nameText.key}) LIKE ${folded(`_%.${likeText(one)}`)})`
    })
  const anySimple = sql`${lastPart} IN arrayMap(it -> ${folded(sql`it`)}, ${typed(simple, 'Array(String)')})`
  return sql`(${join([...(simple.length > 0 ? [anySimple] : []), ...compound], ' OR ', '0')})`
}

/** The `parent_path` of a folder's children. */
export const childrenOf = (folder: string): string => (folder.endsWith('/') ? folder : `${folder}/`)

/** Condition: a row is below a folder, at any depth. */
export const below = (folder: string): Sql => sql`startsWith(parent_path, ${childrenOf(folder)})`

/** Condition: a row has this path. */
export const isAt = (path: string): Sql => sql`(parent_path = ${folderOf(path)} AND name = ${nameOf(path)})`

/** Condition: a row is the folder itself; `/` is the root of a storage. */
export function isFolder(folder: string): Sql {
  return sql`(is_directory AND ${isAt(childrenOf(folder).slice(0, -1))})`
}

/** Condition: any of the reports found the entry; a report is given by its name or by the tag of one run. */
export function taggedByReports(reports: readonly string[], snapshot: Snapshot): Sql {
  const runs = reports.filter((report) => readReportTag(report))
  const names = reports.filter((report) => !readReportTag(report))
  const isNamed = sql`(startsWith(tag, ${reportTagPrefix}) AND ${reportName} IN ${names})`
  const isRun = sql`tag IN ${runs}`
  if (names.length === 0) return hasTagWhere(isRun, snapshot)
  return hasTagWhere(runs.length === 0 ? isNamed : sql`(${isRun} OR ${isNamed})`, snapshot)
}

/** The name in a report's tag; meaningless for other tags. */
export const reportName = sql`extract(tag, ${`^${reportTagPrefix.replaceAll('.', String.raw`\.`)}(?s:(.+))\\.\\d{4}-\\d\\d-\\d\\d$`})`

/**
 * Condition: an entry has a matching tag on the snapshot's day, which the caller sees: those of folders above, and of reports of others,
 * stay hidden. Entries are stored by folder, so with few tags the tagged folders narrow the search; and one number per entry is compared,
 * which stays cheap with millions of tags.
 */
export const hasTagWhere = (condition: Sql, snapshot: Snapshot): Sql => {
  const isMeant = all([condition, validOn(snapshot.indexingDate), isTagSeen(snapshot)])
  return sql`(
    parent_path IN (SELECT parent_path FROM entry_tags WHERE ${isMeant})
    AND ${placeHash} IN (SELECT ${placeHash} FROM entry_tags FINAL WHERE ${isMeant}))`
}

/** Condition on rows of `entry_tags`: the caller sees the entry, and the report if it is the tag of one. */
export const isTagSeen = (snapshot: Snapshot): Sql =>
  all([
    ...given(withinScope(snapshot), (isSeen) => isSeen),
    ...given(snapshot.reportTags, (own) => sql`(NOT startsWith(tag, ${reportTagPrefix}) OR tag IN ${own})`),
  ])

/** Condition on rows of `entry_tags` that apply on a day; false for an empty day, before the first snapshot. */
export const validOn = (day: string): Sql => (day === '' ? sql`0` : sql`(from_date <= ${day} AND to_date > ${day})`)

/**
 * A text in the form in which searches compare it: composed (NFC), then case-folded, so that a letter with an accent is
 * found however a system encodes it, and `STRASSE` finds `straße`. Both sides of a comparison are folded by this
 * expression. The engine refuses to normalize bytes that are not UTF-8, so they are replaced first.
 */
export const folded = (text: Sql | string): Sql => sql`caseFoldUTF8(${normalized(text)})`

/** A text with its search key, which is in the form of `folded`. */
export type SearchText = { raw: Sql; key: Sql }

/** The search text of a column. ASCII is much faster to fold without Unicode's rules. */
export const searchText = (raw: Sql): SearchText => ({
  raw,
  key: sql`if(isValidASCII(${raw}), lower(${raw}), ${folded(raw)})`,
})

/**
 * The name of an entry. `folded_name` stores its key, and is empty if lower-casing the ASCII letters gives the same. The
 * index `by_name` is on the same expression, as the engine writes it.
 */
export const nameText: SearchText = {
  raw: sql`name`,
  key: sql`if(empty(folded_name), lower(name), folded_name)`,
}

/** The path of an entry. Its key is not stored. */
export const pathText: SearchText = searchText(sql`concat(parent_path, name)`)

const types = fileTypeNames.flatMap((type) => extensionsOf(type).map(() => type))

/** The type of a file by its extension, `other` if it has none of the known ones. */
export const typeOfFile: Sql = sql`transform(lower(extension), ${typed(typedExtensions, 'Array(String)')}, ${typed(types, 'Array(String)')}, ${otherType})`

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
