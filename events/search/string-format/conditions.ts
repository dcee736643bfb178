import { maxNesting, maxQueries } from '#events/search/criteria.ts'
import { entryFields, fieldsWith, wordOf } from '#events/entries/fields.ts'
import { isMediaRelation, mediaRelations } from '#events/media/relations.ts'
import { type FieldType, type SearchableField, searchableFields, typeOfMetadata } from '#events/search/query.ts'

/** A condition as it is being edited; an incomplete one has no effect. */
export type Condition = { id: number; field: string; operator: string; value: string; excludes: boolean }
/** Conditions and groups, combined with AND or OR. */
export type Group = { id: number; operator: 'AND' | 'OR'; conditions: Condition[]; groups: Group[] }

/** The search itself uses one nesting level and one query. */
export const maxGroupDepth = maxNesting - 1
export const maxConditions = maxQueries - 1

/** Operators of each type, with the words that follow the field. The first one is the default of a new condition. */
const text = {
  value: 'is',
  startsWith: 'begins with',
  wildcard: 'matches',
  regex: 'has the expression',
  values: 'is one of',
}
const number = { min: 'is at least', max: 'is at most', value: 'is', values: 'is one of' }
export const operatorsOf: Record<FieldType, Record<string, string>> = {
  string: text,
  long: number,
  integer: number,
  double: number,
  date: { after: 'is on or after', before: 'is before' },
  boolean: { value: 'is' },
  list: { values: 'is one of' },
  choice: { values: 'is one of' },
}

/** Titles of the operators in the list to choose from. */
export const operatorTitles: Record<string, string> = {
  value: 'Is',
  values: 'Is One of',
  startsWith: 'Starts With',
  wildcard: 'Wildcard',
  regex: 'Regex',
  min: 'Minimum',
  max: 'Maximum',
  after: 'After',
  before: 'Before',
}

/** Fields that people search by most, in the order of the list to choose from; others follow. */
const mainFields = [
  'name',
  'path',
  'volumeId',
  'extension',
  'size',
  'allocatedSize',
  'owner',
  'group',
  'lastModified',
  'lastAccess',
  'creationDate',
  'indexingDate',
  'customTag',
  'dupe',
  'deleted',
  'isDirectory',
  'isWorldWritable',
  'archive',
  'numberOfFiles',
  'numberOfFolders',
  'folderDepth',
  'inode',
  'identificationHash',
] as const
/** Titles of the fields by their names in conditions on the wire. */
export const fieldTitles = Object.fromEntries(
  [...new Set([...mainFields, ...fieldsWith('condition')])].map((field) => [
    entryFields[field].condition,
    wordOf(field),
  ]),
) as Record<SearchableField, string>

export const typeOf = (field: string): FieldType =>
  Object.hasOwn(searchableFields, field) ? searchableFields[field as SearchableField] : typeOfMetadata(field)
export const titleOf = (field: string): string => {
  if (isMediaRelation(field)) return mediaRelations[field].title
  return Object.hasOwn(fieldTitles, field) ? fieldTitles[field as SearchableField] : field
}

let last = 0
export const nextId = (): number => (last += 1)

export const newCondition = (): Condition => ({
  id: nextId(),
  field: 'name',
  operator: 'wildcard',
  value: '',
  excludes: false,
})
/** Switches a condition to a field, with its first operator and no value; boolean fields start with yes. */
export function conditionOf(condition: Condition, field: string): Condition {
  const type = typeOf(field)
  const [operator = 'value'] = Object.keys(operatorsOf[type])
  return { ...condition, field, operator, value: type === 'boolean' ? 'true' : '' }
}
export const newGroup = (operator: Group['operator'] = 'AND', conditions = [newCondition()]): Group => ({
  id: nextId(),
  operator,
  conditions,
  groups: [],
})
