import { composed } from '#server/platform/clickhouse/paths.ts'
import type { NumberOperators, TextOperators } from '#events/search/query.ts'
import { behindRoot } from '#events/sources/fullPath.ts'
import { all, type Sql, sql, typed, join } from '#server/platform/clickhouse/sql.ts'
import type { ShownVolume } from '#server/content/snapshots/reading/snapshotAt.ts'
import {
  beginsWith,
  given,
  hasExtension,
  matches,
  matchesAccount,
  folded,
  searchText,
  type SearchText,
  isAt,
  pathText,
} from './conditions.ts'
import { folderOf, nameOf } from './places.ts'

type Matching = (typed: string) => Sql

/** Conditions of the operators with wildcards and regular expressions. */
const patterns = (raw: Sql, matching: Matching, { wildcard, regex }: Partial<TextOperators>): Sql[] => [
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
  if (others.wildcard === '?*')
    return all([sql`extension != ''`, extension({ ...others, value, values, wildcard: undefined })])
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

/** Condition on the path of an entry within its storage, or on its full path, as lists show and copy it. */
export function path(operators: TextOperators, volumes: readonly ShownVolume[]): Sql {
  const inFull = volumes.flatMap((volume) => {
    const within = operatorsWithin(volume, operators)
    return within ? [sql`(volume = ${volume.volumeId} AND ${pathIs(within)})`] : []
  })
  return sql`(${join([pathIs(operators), ...inFull], ' OR ')})`
}

/** The operators on full paths as operators on paths within a storage; undefined if one of them is about paths elsewhere. */
function operatorsWithin({ root }: ShownVolume, operators: TextOperators): TextOperators | undefined {
  if (root === '/') return undefined
  const within = (text: string) => behindRoot(root, text)
  const listed = operators.values?.flatMap((text) => within(text) ?? [])
  const translated: TextOperators = {
    value: operators.value && within(operators.value),
    values: listed?.length === 0 ? undefined : listed,
    startsWith: operators.startsWith && startWithin(root, operators.startsWith),
    wildcard: operators.wildcard && within(operators.wildcard),
    regex: operators.regex && expressionWithin(root, operators.regex),
  }
  const names = Object.keys(translated) as (keyof TextOperators)[]
  return names.some((name) => operators[name] !== undefined && translated[name] === undefined) ? undefined : translated
}

/** All paths of a storage start with a text that its root starts with. */
const startWithin = (root: string, text: string): string | undefined =>
  text.length > 1 && root.startsWith(text) ? '/' : behindRoot(root, text)

/** A regular expression whose every alternative begins with the root, for the rest of the path. */
function expressionWithin(root: string, regex: string): string | undefined {
  const alternatives = regex.includes('(') ? [regex] : regex.split('|')
  const within = alternatives.map((text) => (text.startsWith('^') ? behindRoot(root, text.slice(1)) : undefined))
  return within.includes(undefined) ? undefined : within.map((rest) => `^${rest}`).join('|')
}

/** Uses the key of the table. Accents are equal however they are encoded. */
const pathIs = ({ value, values, startsWith, ...others }: TextOperators): Sql =>
  all([
    ...given(value, isPath),
    ...given(values, isOneOf),
    ...given(startsWith, pathStartsWith),
    ...patterns(pathText.raw, (typed) => matches(pathText, typed), others),
  ])

const isPath = (text: string): Sql =>
  isAscii(text) ? isAt(text) : sql`(${belowAscii(text)} AND ${composed(pathText.raw)} = ${text.normalize('NFC')})`

/** At most 1,000 paths: those in ASCII are compared as a list, which uses the key of the table. */
function isOneOf(texts: string[]): Sql {
  const ascii = texts.filter(isAscii)
  const isListed = sql`(parent_path IN ${typed(ascii.map(folderOf), 'Array(String)')} AND ${pathText.raw} IN ${typed(ascii, 'Array(String)')})`
  const others = texts.filter((text) => !isAscii(text)).map((text) => text.normalize('NFC'))
  if (others.length === 0) return isListed
  return sql`(${isListed} OR ${composed(pathText.raw)} IN ${others})`
}

const pathStartsWith = (text: string): Sql =>
  isAscii(text)
    ? sql`(startsWith(parent_path, ${text}) OR (parent_path = ${folderOf(text)} AND startsWith(name, ${nameOf(text)})))`
    : sql`(${belowAscii(text)} AND startsWith(${composed(pathText.raw)}, ${text.normalize('NFC')}))`

const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text)

/** Condition that the key of the table answers: an entry is below the last folder of a path whose name is ASCII, as are all above. */
const belowAscii = (text: string): Sql =>
  sql`startsWith(parent_path, ${folderOf(text.normalize('NFC').replace(/[^\0-\x7f].*$/s, ''))})`
