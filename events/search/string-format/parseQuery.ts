import { isDay } from '#events/contract/days.ts'
import type { WrittenCriteria } from '#events/search/criteria.ts'
import { bareExtension } from '#events/search/extensions.ts'
import { isMetadataField, isSizeField, maxValues } from '#events/search/query.ts'
import { relativeOf, relativePattern, searchDayText } from '#events/search/relativeDays.ts'
import {
  type Condition,
  maxGroupDepth,
  type Group,
  maxConditions,
  newGroup,
  nextId,
  operatorsOf,
  titleOf,
  typeOf,
} from './conditions.ts'
import { criteriaText } from './criteriaText.ts'
import type { NamedStorage } from './printQuery.ts'
import { QueryTextError, Scanner } from './Scanner.ts'
import { inclusive } from './strictBounds.ts'
import { joinList, sizePattern } from './values.ts'
import { and, archiveStateNames, fieldNames, invalid, keyword, not, operatorNames, or, yesOrNo } from './vocabulary.ts'

/** Longer than any allowed search, in any spelling. */
export const maxQueryTextLength = 500_000

/** State of the parser. */
type Reading = { scanner: Scanner; volumes: readonly NamedStorage[]; conditions: number }

/** The conditions of a text, as calls take them. Throws as `parseQuery` does. */
export const conditionsIn = (text: string, volumes: readonly NamedStorage[]): WrittenCriteria =>
  JSON.parse(criteriaText(parseQuery(text, volumes))) as WrittenCriteria

/**
 * Parses conditions in the string format:
 *
 *     any       = all { OR all }
 *     all       = one { AND one }
 *     one       = NOT one | "(" any ")" | condition
 *     condition = field operator value { "," value }
 *
 * A blank text is a blank condition. Throws a `QueryTextError` with the position, also beyond the limits of searches.
 */
export function parseQuery(text: string, volumes: readonly NamedStorage[]): Group {
  if (text.length > maxQueryTextLength)
    throw new QueryTextError(`The text has more than ${maxQueryTextLength} characters.`, maxQueryTextLength)
  const scanner = new Scanner(text)
  if (scanner.isAtEnd) return newGroup()
  const group = readAny({ scanner, volumes, conditions: 0 }, 1)
  if (scanner.isAtEnd) return group
  if (scanner.text[scanner.at] === ')')
    throw new QueryTextError('This closing parenthesis has no opening one.', scanner.at)
  return scanner.expected('AND or OR')
}

type Part = { condition: Condition } | { group: Group }

const groupOf = (operator: Group['operator'], parts: Part[]): Group => ({
  ...newGroup(
    operator,
    parts.flatMap((part) => ('condition' in part ? [part.condition] : [])),
  ),
  groups: parts.flatMap((part) => ('group' in part ? [part.group] : [])),
})

function readAny(reading: Reading, depth: number): Group {
  const all = [readAll(reading, depth)]
  const [first = []] = all
  while (reading.scanner.word(or)) all.push(readAll(reading, depth))
  if (all.length === 1) return groupOf('AND', first)
  const joined = all.map((parts): Part => {
    const [only] = parts
    if (only && parts.length === 1) return only
    if (depth === maxGroupDepth) throw tooDeep(reading.scanner.at)
    return { group: groupOf('AND', parts) }
  })
  return groupOf('OR', joined)
}

function readAll(reading: Reading, depth: number): Part[] {
  const parts = [readOne(reading, depth)]
  while (reading.scanner.word(and)) parts.push(readOne(reading, depth))
  return parts
}

function readOne(reading: Reading, depth: number): Part {
  const { scanner } = reading
  let excludes = false
  while (scanner.word(not)) excludes = !excludes
  const opened = scanner.at
  if (!scanner.sign('(')) return { condition: { ...readCondition(reading), excludes } }
  if (depth === maxGroupDepth) throw tooDeep(opened)
  const group = readAny(reading, depth + 1)
  if (scanner.isAtEnd) throw new QueryTextError('This parenthesis is not closed.', opened)
  if (!scanner.sign(')')) scanner.expected('AND, OR or a closing parenthesis')
  return { group: excludes ? negated(group) : group }
}

const tooDeep = (at: number) => new QueryTextError(`Groups are nested deeper than ${maxGroupDepth} levels here.`, at)

/** Negates a group by De Morgan's laws. */
function negated({ operator, conditions, groups, ...group }: Group): Group {
  const other = operator === 'AND' ? 'OR' : 'AND'
  return {
    ...group,
    operator: conditions.length + groups.length > 1 ? other : operator,
    conditions: conditions.map((condition) => ({ ...condition, excludes: !condition.excludes })),
    groups: groups.map(negated),
  }
}

function readCondition(reading: Reading): Condition {
  const { scanner } = reading
  const begin = scanner.at
  reading.conditions += 1
  if (reading.conditions > maxConditions)
    throw new QueryTextError(`There are more than ${maxConditions} conditions.`, begin)
  const field = readField(scanner)
  const type = typeOf(field)
  const operator = scanner.word(operatorNames[type])
  if (operator === undefined) {
    const operators = Object.values(operatorsOf[type]).map((words) => `"${words}"`)
    return scanner.expected(`${either(operators)} after ${titleOf(field)}`)
  }
  if (operator === 'values')
    return { id: nextId(), field, operator, value: joinList(readList(reading, field)), excludes: false }
  const at = scanner.at
  const value = readValue(reading, field, operator)
  const bound = inclusive(field, { operator, value })
  if (bound === undefined) throw new QueryTextError(withoutBound(field, value), at)
  return { id: nextId(), field, ...bound, excludes: false }
}

/** Reason why a strict bound can't be converted. */
const withoutBound = (field: string, value: string): string =>
  typeOf(field) === 'date'
    ? `Use >= or < with ${searchDayText(value)}.`
    : `No ${titleOf(field).toLowerCase()} is less than 0.`

const either = (words: string[]): string =>
  words.length > 1 ? `${words.slice(0, -1).join(', ')} or ${words.at(-1)}` : words.join('')

/** Values, separated by commas, and in parentheses if the user likes. */
function readList(reading: Reading, field: string): string[] {
  const { scanner } = reading
  const opened = scanner.at
  const isInParentheses = scanner.sign('(')
  const values = [readValue(reading, field, 'values')]
  while (scanner.sign(',')) {
    if (values.length === maxValues) throw new QueryTextError(`There are more than ${maxValues} values.`, scanner.at)
    values.push(readValue(reading, field, 'values'))
  }
  if (isInParentheses && !scanner.sign(')')) {
    if (scanner.isAtEnd) throw new QueryTextError('This parenthesis is not closed.', opened)
    return scanner.expected('a comma or a closing parenthesis')
  }
  return values
}

function readField(scanner: Scanner): string {
  const begin = scanner.at
  const known = scanner.word(fieldNames) ?? scanner.match(/metadata[.][\w.-]+/y)
  if (known !== undefined) return known
  const quoted = scanner.quoted()
  if (quoted === undefined) return scanner.expected('a field, such as Name, Size or Last modified')
  if (isMetadataField(quoted)) return quoted
  throw new QueryTextError(`There is no field “${quoted.slice(0, 40)}”.`, begin)
}

/** Parses one value into the format of a condition's input field. */
function readValue({ scanner, volumes }: Reading, field: string, operator: string): string {
  switch (typeOf(field)) {
    case 'string':
      return readText(scanner, field, operator)
    case 'list':
      return readStorage(scanner, volumes)
    case 'choice':
      return scanner.word(archiveStateNames) ?? scanner.expected('a state, such as Not archived')
    case 'boolean':
      return scanner.word(yesOrNo) ?? scanner.expected('yes or no')
    case 'date':
      return readDay(scanner)
    case 'double':
      return scanner.match(/\d+(?:\.\d+)?(?![\w.])/y) ?? scanner.expected('a number of 0 or more')
    default:
      return isSizeField(field)
        ? (scanner.match(sizePattern) ?? scanner.expected('a size of 0 or more, such as 10 GiB'))
        : (scanner.match(/\d+(?![\w.])/y) ?? scanner.expected('a whole number of 0 or more'))
  }
}

function readText(scanner: Scanner, field: string, operator: string): string {
  const begin = scanner.at
  const quoted = scanner.quoted()
  if (quoted !== undefined) {
    const value = field === 'extension' && operator === 'values' ? bareExtension(quoted) : quoted
    if (value.trim() === '') throw new QueryTextError('This text is empty.', begin)
    return quoted
  }
  keyword.pattern.lastIndex = begin
  const isKeyword = keyword.pattern.test(scanner.text)
  const bare = isKeyword ? undefined : scanner.match(/[^\s(),"]+/y)
  return bare ?? scanner.expected('a text in quotes, such as "*.mov"')
}

function readDay(scanner: Scanner): string {
  const begin = scanner.at
  const relative = scanner.match(relativePattern)
  if (relative !== undefined) return relativeOf(relative)
  const day =
    scanner.match(/\d{4}-\d{2}-\d{2}(?![\w-])/y) ?? scanner.expected('a day, such as 2026-01-31 or 6 months ago')
  if (isDay(day)) return day
  throw new QueryTextError(`${day} is not a valid date.`, begin)
}

function readStorage(scanner: Scanner, volumes: readonly NamedStorage[]): string {
  const begin = scanner.at
  const name = scanner.quoted()
  if (name === undefined) {
    scanner.word(invalid)
    return scanner.match(/\d+(?![\w.])/y) ?? scanner.expected('a storage, by its name in quotes or its number')
  }
  const found = volumes.filter((volume) => volume.name === name)
  const [storage] = found
  if (storage && found.length === 1) return String(storage.id)
  const shown = `“${name.slice(0, 40)}”`
  throw new QueryTextError(
    storage ? `Several storages are named ${shown}: write the number of one.` : `There is no storage ${shown}.`,
    begin,
  )
}
