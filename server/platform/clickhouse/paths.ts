import { type Sql, sql, text } from '#server/platform/clickhouse/sql.ts'

/*
 * The folders that contain a path, in queries. Paths have the form of `parent_path`: '/', '/a/', '/a/b/'; a path counts
 * as one of its own folders. Writing all of them for each folder of a chain takes the cube of its depth: gigabytes for a
 * thousand levels. So totals go up in two steps, and folders are looked up by numbers instead of by their text.
 */

const parts = (path: Sql) => sql`arrayPopBack(splitByChar('/', ${path}))`
const ends = (path: Sql) => sql`arrayCumSum(part -> length(part) + 1, ${parts(path)})`
const prefixes = (path: Sql, lengths: Sql) => sql`arrayMap(end -> substring(${path}, 1, end), ${lengths})`

/** Levels from one stop to the next: more than trees normally have, so that most paths have one stop. */
const step = 64

/** The path itself, and the folders above it at every 64th level: the first step up. */
export const stopsOf = (path: Sql): Sql =>
  prefixes(
    path,
    sql`arrayDistinct(arrayConcat(
      arrayFilter((end, level) -> level % ${step} = 0, ${ends(path)}, arrayEnumerate(${parts(path)})), arraySlice(${ends(path)}, -1)))`,
  )

/** A stop and the folders above it, up to the next stop: the second step up. */
export const upFrom = (stop: Sql): Sql =>
  prefixes(stop, sql`arraySlice(${ends(stop)}, intDiv(length(${parts(stop)}) - 1, ${step}) * ${step} + 1)`)

/** Settings of a step up: few rows at a time, because each row becomes up to 64. */
export const stepUp = text('SETTINGS max_block_size = 512')

/** A query for all distinct folders that contain one of the paths, as `folder`. The given query selects `path`. */
export const foldersAbove = (paths: Sql): Sql => sql`
  SELECT DISTINCT arrayJoin(${upFrom(sql`stop`)}) AS folder
  FROM (SELECT DISTINCT arrayJoin(${stopsOf(sql`path`)}) AS stop FROM (${paths}) ${stepUp})`

/** Numbers of the folders that contain a path, from the first level on. Different folders have different ones: 128 bits of a hash. */
export const keysAbove = (path: Sql): Sql =>
  sql`arrayCumSum((part, level) -> reinterpretAsUInt128(sipHash128(part, level)), ${parts(path)}, arrayEnumerate(${parts(path)}))`

/** Number of a folder in `keysAbove`. */
export const keyOf = (folder: Sql): Sql => sql`${keysAbove(folder)}[-1]`

/** Condition: one of the folders contains the path. The given query selects `folder`. */
export const isInAny = (path: Sql, folders: Sql): Sql =>
  sql`arrayExists(key -> ${isOneOf(folders)}, ${keysAbove(path)})`

/** The nearest of the folders that contains the path, or ''. The given query selects `folder`. */
export const nearestOf = (path: Sql, folders: Sql): Sql =>
  sql`substring(${path}, 1, arrayLast((end, key) -> ${isOneOf(folders)}, ${ends(path)}, ${keysAbove(path)}))`

const isOneOf = (folders: Sql) => sql`key IN (SELECT ${keyOf(sql`folder`)} FROM (${folders}))`

/** Those of the listed folders that contain the path, as an array. */
export function allOf(path: Sql, folders: readonly string[]): Sql {
  const lengths = [...new Set(folders.map((folder) => Buffer.byteLength(folder)))]
  return sql`arrayFilter(above -> above IN ${folders}, ${prefixes(path, sql`arrayFilter(end -> end IN ${lengths}, ${ends(path)})`)})`
}

/** A text in composed form (NFC), without bytes that are no UTF-8, which the engine refuses to normalize. */
export const normalized = (text: Sql | string): Sql => sql`normalizeUTF8NFC(toValidUTF8(${text}))`

/** The text of a column in composed form (NFC), with its case: people type regular expressions and paths in this form. */
export const composed = (column: Sql): Sql => sql`if(isValidASCII(${column}), ${column}, ${normalized(column)})`
