import type { NumberOperators, TextOperators } from '#events/search/query.ts'
import { beginsWith, given, matches } from '#server/entries/conditions.ts'
import { folderOf, nameOf } from '#server/entries/places.ts'
import { all, type Sql, sql, typed } from '#server/platform/clickhouse/sql.ts'

const patterns = (column: Sql, { wildcard, regex }: Partial<TextOperators>): Sql[] => [
  ...given(wildcard, (typed) => matches(column, typed)),
  ...given(regex, (expression) => sql`match(${column}, ${expression})`),
]

/** Ignores case. */
export const text = (column: Sql, operators: Partial<TextOperators>): Sql =>
  all([
    ...given(operators.value, (text) => sql`lowerUTF8(${column}) = lowerUTF8(${text})`),
    ...given(operators.values, (texts) => sql`lowerUTF8(${column}) IN arrayMap(it -> lowerUTF8(it), ${texts})`),
    ...given(operators.startsWith, (text) => beginsWith(column, text)),
    ...patterns(column, operators),
  ])

/** Case-sensitive, except for patterns. */
export const exactText = (column: Sql, operators: Partial<TextOperators>): Sql =>
  all([
    ...given(operators.value, (text) => sql`${column} = ${text}`),
    ...given(operators.values, (texts) => sql`${column} IN ${texts}`),
    ...given(operators.startsWith, (text) => sql`startsWith(${column}, ${text})`),
    ...patterns(column, operators),
  ])

/** Same, using the key of the table if possible. */
export const path = ({ value, values, startsWith, ...others }: TextOperators): Sql =>
  all([
    ...given(value, (text) => sql`(parent_path = ${folderOf(text)} AND name = ${nameOf(text)})`),
    ...given(values, (texts) => sql`(parent_path IN ${texts.map(folderOf)} AND ${wholePath} IN ${texts})`),
    ...given(
      startsWith,
      (text) => sql`(startsWith(parent_path, ${text})
        OR (parent_path = ${folderOf(text)} AND startsWith(name, ${nameOf(text)})))`,
    ),
    ...patterns(wholePath, others),
  ])

const wholePath = sql`concat(parent_path, name)`

/** Ignores dots and spaces. */
export function extension({ value, values, ...others }: TextOperators): Sql {
  const bare = (text: string) => text.replaceAll(/[.\s]/g, '')
  const wholly = { value: value === undefined ? undefined : bare(value), values: values?.map(bare) }
  return text(sql`extension`, { ...others, ...wholly })
}

/** A number in the engine that users write in hexadecimal; `shown` is its text for users. */
export function hexadecimal(column: Sql, shown: Sql, { value, values, ...others }: TextOperators): Sql {
  const numbers = (texts: string[]) => {
    const known = texts.filter((text) => /^[0-9a-f]{1,16}$/i.test(text)).map((text) => BigInt(`0x${text}`))
    return typed(
      known.filter((number) => number !== 0n),
      'Array(UInt64)',
    )
  }
  const isNone = (texts: string[]) => (texts.includes('') ? sql`${shown} = ''` : sql`0`)
  const isOneOf = (texts: string[]) => sql`(${column} IN ${numbers(texts)} OR ${isNone(texts)})`
  const { startsWith = undefined, ...rest } = others
  return all([
    ...given(value, (text) => isOneOf([text])),
    ...given(values, isOneOf),
    exactText(shown, { ...rest, startsWith: startsWith?.toLowerCase() }),
  ])
}

/** Values that are not `known` match nothing. */
export const number = (column: Sql, { value, values, min, max }: NumberOperators, known: Sql = sql`1`): Sql =>
  all([
    known,
    ...given(value, (number) => sql`${column} = ${number}`),
    ...given(values, (numbers) => sql`${column} IN ${numbers}`),
    ...given(min, (number) => sql`${column} >= ${number}`),
    ...given(max, (number) => sql`${column} <= ${number}`),
  ])
