import { archiveStates } from './archived.ts'
import { countQueries, type SearchQueryNode, type WrittenCriteria, readNode } from './criteria.ts'
import { chosenTypes } from './fileTypes.ts'
import { hasFilter, type SearchFilters } from './filters.ts'
import type { Criterion, NumberOperators, TextOperators } from './query.ts'

/** A search, given as the filters of a URL or as criteria. */
export type SearchInput = { filters: SearchFilters } | { criteria: WrittenCriteria }

/** True if the search has any condition. */
export const hasCondition = (searched: SearchInput): boolean =>
  'filters' in searched ? hasFilter(searched.filters) : countQueries(searched.criteria) > 0

/** True if a search has a condition that can leave out an entry. A name `*`, a size from 0, the path `/` and empty groups can't. */
export const isLimited = (searched: SearchInput): boolean =>
  'filters' in searched ? hasFilter(withoutEmptyLimits(searched.filters)) : isNodeLimited(readNode(searched.criteria))

/** Blank, or made of wildcards only. */
const isAnyText = (text: string | undefined): boolean => text === undefined || /^[\s*?]*$/.test(text)
/** Starts of all paths, with `/` or `\`. */
const isRoot = (path: string | undefined): boolean => path === undefined || /^[/\\]*$/.test(path)
const areAll = <T>(chosen: readonly T[] | undefined, all: readonly T[]): boolean =>
  all.every((one) => chosen?.includes(one))

function withoutEmptyLimits(filters: SearchFilters): SearchFilters {
  const { search, name, owner, group, startingPath, archived, fileType } = filters
  const { minimumSize, minimumAllocatedSize, minimumNumberOfFiles, minimumNumberOfFolders } = filters
  const text = (value: string | undefined) => (isAnyText(value) ? undefined : value)
  return {
    ...filters,
    search: text(search),
    name: text(name),
    owner: text(owner),
    group: text(group),
    startingPath: isRoot(startingPath) ? undefined : startingPath,
    archived: areAll(archived, archiveStates) ? undefined : archived,
    fileType: areAll(fileType, chosenTypes) ? undefined : fileType,
    minimumSize: minimumSize || undefined,
    minimumAllocatedSize: minimumAllocatedSize || undefined,
    minimumNumberOfFiles: minimumNumberOfFiles || undefined,
    minimumNumberOfFolders: minimumNumberOfFolders || undefined,
  }
}

/** Groups without queries have no effect. Of alternatives, each must be limited. */
function isNodeLimited({ searchOperator, searchQueries, searchQueryNodes }: SearchQueryNode): boolean {
  const parts = [
    ...searchQueries.map(isQueryLimited),
    ...searchQueryNodes.filter((node) => countQueries(node) > 0).map(isNodeLimited),
  ]
  return searchOperator === 'OR' ? parts.length > 0 && parts.every(Boolean) : parts.some(Boolean)
}

/** The kind and the day of the scan are no limits: the request names them for all of its entries. */
function isQueryLimited(query: Criterion): boolean {
  const { field, excludes } = query
  if (field === 'isDirectory' || field === 'indexingDate') return false
  if (query.type === 'boolean') return field !== 'deleted' || query.operators.value !== excludes
  if (query.type === 'list') return query.operators.values.length > 0
  return excludes || !matchesAll(query)
}

function matchesAll(query: Criterion): boolean {
  const { type, field, operators } = query
  if (type === 'choice') return areAll(operators.values, archiveStates)
  if (type === 'long') return !needsFolder.includes(field) && isAnyNumber(operators, 0)
  if (type === 'integer') return isAnyNumber(operators, 1)
  // Tags and metadata match only entries that have some.
  return type === 'string' && !/^(customTag$|metadata\.)/.test(field) && isAnyValue(operators)
}

/** Numbers that only folders have. */
const needsFolder: readonly string[] = ['numberOfFiles', 'numberOfFolders']

const isAnyNumber = ({ value, values, min, max }: NumberOperators, least: number): boolean =>
  value === undefined && values === undefined && max === undefined && (min ?? least) <= least

const isAnyValue = ({ value, values, startsWith, wildcard, regex }: TextOperators): boolean =>
  value === undefined &&
  values === undefined &&
  isRoot(startsWith) &&
  isAnyText(wildcard) &&
  (regex === undefined || /^\^?(\.[*+]?)?\$?$/.test(regex))
