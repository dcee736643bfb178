import { isSizeField } from '#events/search/query.ts'
import { archiveStates } from '#events/search/archived.ts'
import { bareExtension } from '#events/search/extensions.ts'
import { bytesOf } from '#events/search/filters.ts'
import { isSearchDay } from '#events/search/relativeDays.ts'
import { type Condition, type Group, newGroup, nextId, typeOf } from './conditions.ts'
import { joinList, readSize, sizeWords, splitList } from './values.ts'

type Query = Record<string, unknown>
type Node = { searchOperator?: unknown; searchQueries?: Query[] | null; searchQueryNodes?: Node[] | null }

/** Conditions in the format of URLs and the server, without incomplete ones. */
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

/** Parses the input for the operator; undefined if invalid. */
export function readValue({ field, operator, value }: Condition): unknown {
  const text = value.trim()
  if (text === '') return undefined
  const type = typeOf(field)
  const one = (word: string) => {
    if (type === 'choice') return archiveStates.find((state) => state === word)
    return type === 'string' ? word : readNumber(field, word)
  }
  if (operator === 'values') {
    const texts = splitList(text)
    // Extensions are written without the dot before them.
    const items = field === 'extension' ? texts.flatMap((word) => bareExtension(word) || []) : texts
    const values = items.map(one)
    return values.length === 0 || values.includes(undefined) ? undefined : values
  }
  if (type === 'date') return isSearchDay(text) ? text : undefined
  if (type === 'boolean') return text === 'true'
  return type === 'string' ? value : one(text)
}

/** Sizes may have a unit. */
function readNumber(field: string, word: string): number | undefined {
  if (isSizeField(field)) return readSize(word)
  if (typeOf(field) === 'double') return /^\d+(?:\.\d+)?$/.test(word) ? Number(word) : undefined
  return /^\d+$/.test(word) ? bytesOf(Number(word), 'B') : undefined
}

/** Conditions of a URL in their editable form. */
export function readGroup(criteria: string): Group {
  const read = JSON.parse(criteria) as Node | Query[]
  return groupOf(Array.isArray(read) ? { searchQueries: read } : read)
}

function groupOf({ searchOperator, searchQueries, searchQueryNodes }: Node): Group {
  const group = newGroup(searchOperator === 'OR' ? 'OR' : 'AND', [])
  for (const query of searchQueries ?? []) {
    const conditions = conditionsOf(query)
    if (conditions.length === 1) group.conditions.push(...conditions)
    // Several operators of a field are combined with AND; if excluded, with OR.
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
        value: writtenValue(field, value),
        excludes: excludeFilter === true,
      })),
  )
}

const writtenValue = (field: string, value: unknown): string => {
  const words = [value].flat().map((one) => (isSizeField(field) ? sizeWords(Number(one)) : String(one)))
  return Array.isArray(value) ? joinList(words) : words.join()
}
