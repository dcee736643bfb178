import type { TextOperators } from '#events/search/query.ts'
import { behindRoot } from '#events/sources/fullPath.ts'
import { given, isAt, matches } from './conditions.ts'
import { folderOf, nameOf } from './places.ts'
import { composed, pathText } from './searchKey.ts'
import { all, join, type Sql, sql, typed } from '#server/platform/clickhouse/sql.ts'
import type { ShownVolume } from '#server/snapshots/reading/snapshotAt.ts'
import { patterns } from './criteriaOperators.ts'

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
