import type { NumberOperators, TextOperators } from '#events/search/query.ts'
import { beginsWith, given, hasExtension, matches, matchesAccount } from './conditions.ts'
import { composed, folded, searchText, type SearchText } from './searchKey.ts'
import { all, type Sql, sql, typed } from '#server/platform/clickhouse/sql.ts'

type Matching = (typed: string) => Sql

/** Conditions of the operators with wildcards and regular expressions. */
export const patterns = (raw: Sql, matching: Matching, { wildcard, regex }: Partial<TextOperators>): Sql[] => [
  ...given(wildcard, matching),
  ...given(regex, (expression) => sql`match(${composed(raw)}, ${expression.normalize('NFC')})`),
]

/** Ignores case. */
export const text = (
  searched: SearchText,
  operators: Partial<TextOperators>,
  matching: Matching = (typed) => matches(searched, typed),
): Sql =>
  all([
    ...given(operators.value, (text) => sql`${searched.key} = ${folded(text)}`),
    ...given(operators.values, (texts) => sql`${searched.key} IN arrayMap(it -> ${folded(sql`it`)}, ${texts})`),
    ...given(operators.startsWith, (text) => beginsWith(searched, text)),
    ...patterns(searched.raw, matching, operators),
  ])

/** Same for names of accounts, in whose patterns a backslash is literal. */
export const account = (column: Sql, operators: TextOperators): Sql =>
  text(searchText(column), operators, (typed) => matchesAccount(column, typed))

/** Case-sensitive, except for patterns. */
export const exactText = (column: Sql, operators: Partial<TextOperators>): Sql =>
  all([
    ...given(operators.value, (text) => sql`${column} = ${text}`),
    ...given(operators.values, (texts) => sql`${column} IN ${texts}`),
    ...given(operators.startsWith, (text) => sql`startsWith(${column}, ${text})`),
    ...patterns(column, (typed) => matches(searchText(column), typed), operators),
  ])

/** Whole extensions may have several parts. Dots and spaces around them are ignored. The pattern `?*` is any extension. */
export const extension = ({ value, values, ...others }: TextOperators): Sql => {
  if (others.wildcard === '?*') return all([sql`extension != ''`, extension({ ...others, value, values, wildcard: undefined })])
  return all([
    ...given(value, (one) => hasExtension([one])),
    ...given(values, hasExtension),
    text(searchText(sql`extension`), others),
  ])
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
export const number = (column: Sql, { value, values, min, max }: NumberOperators, known?: Sql): Sql =>
  all([
    ...given(known, (isKnown) => isKnown),
    ...given(value, (number) => sql`${column} = ${number}`),
    ...given(values, (numbers) => sql`${column} IN ${numbers}`),
    ...given(min, (number) => sql`${column} >= ${number}`),
    ...given(max, (number) => sql`${column} <= ${number}`),
  ])
