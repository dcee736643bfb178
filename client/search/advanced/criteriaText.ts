import { bytesOf, type SizeUnit } from '#events/search-filters.ts'
import { type Condition, type Group, newGroup, nextId, operatorsOf, titleOf, typeOf } from './draft.ts'

type Query = Record<string, unknown>
type Node = { searchOperator?: unknown; searchQueries?: Query[] | null; searchQueryNodes?: Node[] | null }

/** Conditions as an address and the server have them; those that are not complete are left out. */
export function criteriaText(group: Group): string {
  return JSON.stringify(nodeOf(group))
}

function nodeOf({ operator, conditions, groups }: Group): Node {
  return {
    searchOperator: operator,
    searchQueries: conditions.flatMap((condition) => {
      const value = readValue(condition)
      if (value === undefined) return []
      const query = { [condition.field]: { [condition.operator]: value } }
      return [condition.excludes ? { ...query, excludeFilter: true } : query]
    }),
    searchQueryNodes: groups.map(nodeOf),
  }
}

const size = /^(\d+(?:\.\d+)?)\s*(B|KB|MB|GB|TB|PB)?$/i

/** What was written, as the operator takes it; nothing when it cannot be that. */
export function readValue({ field, operator, value }: Condition): unknown {
  const text = value.trim()
  if (text === '') return undefined
  const type = typeOf(field)
  const one = (word: string) => (type === 'string' ? word : readNumber(field, word))
  if (operator === 'values') {
    const values = text.split(',').map((word) => one(word.trim()))
    return values.includes(undefined) ? undefined : values
  }
  if (type === 'date') return /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : undefined
  if (type === 'boolean') return text === 'true'
  return type === 'string' ? value : one(text)
}

/** Sizes may have a unit. */
function readNumber(field: string, word: string): number | undefined {
  const [, digits, unit] = (field === 'size' ? size : /^(\d+)$/).exec(word) ?? []
  return digits === undefined ? undefined : bytesOf(Number(digits), (unit?.toUpperCase() ?? 'B') as SizeUnit)
}

/** Conditions of an address as they are written. */
export function readGroup(criteria: string): Group {
  const read = JSON.parse(criteria) as Node | Query[]
  return groupOf(Array.isArray(read) ? { searchQueries: read } : read)
}

function groupOf({ searchOperator, searchQueries, searchQueryNodes }: Node): Group {
  const group = newGroup(searchOperator === 'OR' ? 'OR' : 'AND', [])
  for (const query of searchQueries ?? []) {
    const conditions = conditionsOf(query)
    if (conditions.length === 1) group.conditions.push(...conditions)
    // Several operators of a field must all hold; excluded, it is enough that one does not.
    else group.groups.push(newGroup(conditions[0]?.excludes ? 'OR' : 'AND', conditions))
  }
  group.groups.push(...(searchQueryNodes ?? []).map(groupOf))
  return group
}

function conditionsOf({ id: _, excludeFilter, ...query }: Query): Condition[] {
  return Object.entries(query).flatMap(([field, operators]) =>
    Object.entries((operators ?? {}) as Record<string, unknown>)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([operator, value]) => ({
        id: nextId(),
        field,
        operator,
        value: Array.isArray(value) ? value.join(', ') : String(value),
        excludes: excludeFilter === true,
      })),
  )
}

type NameOf = (volumeId: string) => string | undefined

/** All of it as a sentence. */
export function sentenceOf({ operator, conditions, groups }: Group, nameOf: NameOf): string {
  const parts = [
    ...conditions.filter((condition) => readValue(condition) !== undefined).map((it) => conditionText(it, nameOf)),
    ...groups
      .map((group) => sentenceOf(group, nameOf))
      .filter(Boolean)
      .map((text) => `(${text})`),
  ]
  return parts.join(` ${operator} `)
}

function conditionText({ field, operator, value, excludes }: Condition, nameOf: NameOf): string {
  const type = typeOf(field)
  const words =
    field === 'volumeId'
      ? value
          .split(',')
          .map((id) => nameOf(id.trim()) ?? 'Invalid')
          .join(', ')
      : value.trim()
  const shown = type === 'string' || type === 'list' ? `"${words}"` : type === 'boolean' ? yesNo(words) : words
  return `${excludes ? 'NOT ' : ''}${titleOf(field)} ${operatorsOf[type][operator] ?? operator} ${shown}`
}

const yesNo = (word: string) => (word === 'true' ? 'yes' : 'no')
