import { isSizeField } from '#events/search/query.ts'
import { type ArchiveState, archiveStateTitles } from '#events/search/archived.ts'
import { searchDayText } from '#events/search/relativeDays.ts'
import { type Condition, fieldTitles, type Group, operatorsOf, titleOf, typeOf } from './conditions.ts'
import { readValue } from './criteriaText.ts'
import { inQuotes } from './Scanner.ts'
import { strictMeasurement, strictSize } from './strictBounds.ts'
import { sizeWords } from './values.ts'

/** A storage with its name in conditions. */
export type NamedStorage = { id: number; name: string }

/** Prints conditions in the string format, which `parseQuery` reads. Incomplete ones are left out. */
export function printQuery({ operator, conditions, groups }: Group, volumes: readonly NamedStorage[]): string {
  const parts = [
    ...conditions.map((condition) => conditionText(condition, volumes)),
    ...groups.map((group) => printQuery(group, volumes)).map((text) => text && `(${text})`),
  ]
  return parts.filter(Boolean).join(` ${operator} `)
}

function conditionText(condition: Condition, volumes: readonly NamedStorage[]): string {
  const { field, operator, excludes } = condition
  const value = readValue(condition)
  if (value === undefined) return ''
  const type = typeOf(field)
  const wordOf = (one: unknown) => {
    if (type === 'list') return storageText(Number(one), volumes)
    if (type === 'choice') return archiveStateTitles[one as ArchiveState]
    if (type === 'boolean') return one === true ? 'yes' : 'no'
    if (type === 'date') return searchDayText(String(one))
    if (isSizeField(field)) return sizeWords(Number(one))
    return type === 'string' ? inQuotes(String(one)) : String(one)
  }
  const words = [value].flat().map(wordOf).join(', ')
  const strictOf = type === 'double' ? strictMeasurement : isSizeField(field) ? strictSize : undefined
  const strict = strictOf?.(operator, Number(value))
  const bound = strict ?? `${operatorsOf[type][operator] ?? operator} ${words}`
  return `${excludes ? 'NOT ' : ''}${fieldText(field)} ${bound}`
}

/** Quotes metadata keys, which may contain any character. */
const fieldText = (field: string) =>
  Object.hasOwn(fieldTitles, field) || /^metadata[.][\w.-]+$/.test(field) ? titleOf(field) : inQuotes(field)

/**
 * Name of a storage, or its ID if the name is not unique. A deleted storage is marked as invalid once the storages are
 * loaded.
 */
function storageText(id: number, volumes: readonly NamedStorage[]): string {
  const name = volumes.find((volume) => volume.id === id)?.name
  if (name === undefined) return volumes.length > 0 ? `Invalid ${id}` : String(id)
  return volumes.filter((volume) => volume.name === name).length === 1 ? inQuotes(name) : String(id)
}
