import { type FieldType, type SearchableField, searchableFields } from '#events/search-query.ts'

/** A condition as it is written; what is not complete yet asks nothing. */
export type Condition = { id: number; field: string; operator: string; value: string; excludes: boolean }
/** Conditions and groups of which all or any must hold. */
export type Group = { id: number; operator: 'AND' | 'OR'; conditions: Condition[]; groups: Group[] }

/** The operators of each type, in words that follow the field. */
const text = {
  wildcard: 'matches',
  value: 'is',
  values: 'is one of',
  startsWith: 'begins with',
  regex: 'has the expression',
}
const number = { min: 'is at least', max: 'is at most', value: 'is', values: 'is one of' }
export const operatorsOf: Record<FieldType, Record<string, string>> = {
  string: text,
  long: number,
  integer: number,
  date: { after: 'is on or after', before: 'is before' },
  boolean: { value: 'is' },
  list: { values: 'is one of' },
}

export const fieldTitles: Record<SearchableField, string> = {
  name: 'Name',
  path: 'Path',
  volumeId: 'Storage',
  extension: 'Extension',
  size: 'Size',
  owner: 'Owner',
  group: 'Group',
  lastModifiedDate: 'Last modified',
  lastAccessDate: 'Last access',
  creationDate: 'Created',
  indexingDate: 'Indexing date',
  customTags: 'Tags',
  isDupe: 'Duplicate',
  isDeleted: 'Deleted',
  isDirectory: 'Folder',
  numberOfFiles: 'Number of files',
  numberOfFolders: 'Number of folders',
  folderDepth: 'Depth',
  inode: 'Inode',
  identificationHash: 'Identification hash',
  fileId: 'Id',
}

export const typeOf = (field: string): FieldType =>
  Object.hasOwn(searchableFields, field) ? searchableFields[field as SearchableField] : 'string'
export const titleOf = (field: string): string =>
  Object.hasOwn(fieldTitles, field) ? fieldTitles[field as SearchableField] : field

let last = 0
export const nextId = (): number => (last += 1)

export const newCondition = (): Condition => ({
  id: nextId(),
  field: 'name',
  operator: 'wildcard',
  value: '',
  excludes: false,
})
export const newGroup = (operator: Group['operator'] = 'AND', conditions = [newCondition()]): Group => ({
  id: nextId(),
  operator,
  conditions,
  groups: [],
})
