import type { SearchQueryNode } from './criteria.ts'
import { extensionsOf, fileTypeNames, otherType } from './fileTypes.ts'
import { filterRanges, rangeFields, unitNameOf } from './filterRanges.ts'
import { bytesOf, readPlace, type SearchFilters, withExtension } from './filters.ts'
import { isPattern, literalPattern, wordsOf } from './patterns.ts'
import { criterion, type Criterion } from './query.ts'

/** Conditions with the same meaning as a filter; all of them must match. */
export type FilterCriteria = {
  name: keyof SearchFilters
  queries: Criterion[]
  nodes?: SearchQueryNode[]
}

/** The filters of a search as conditions, except for reports, which conditions don't have. */
export const criteriaByFilter = (filters: SearchFilters): FilterCriteria[] => [
  ...placeCriteria(filters),
  ...wordCriteria('search', filters.search),
  ...wordCriteria('name', filters.name),
  ...ignoreCriteria(filters),
  ...listed('extension', 'extension', filters.extension),
  ...typeCriteria(filters),
  ...listed('volumeId', 'volumeId', [...filters.volumeId, ...filters.storageId]),
  ...one('startingPath', filters.startingPath && criterion('path', { startsWith: inFolder(filters.startingPath) })),
  ...one('owner', filters.owner && criterion('owner', { wildcard: filters.owner })),
  ...one('group', filters.group && criterion('group', { wildcard: filters.group })),
  ...listed('tags', 'customTag', [...filters.tag, ...filters.tags]),
  ...rangeCriteria(filters),
  ...one(
    'onlyDuplicates',
    filters.onlyDuplicates !== undefined && criterion('dupe', { value: filters.onlyDuplicates }),
  ),
  ...one('showOnlyDeletedFiles', filters.showOnlyDeletedFiles && criterion('deleted', { value: true })),
  ...listed('archived', 'archive', filters.archived ?? []),
]

const one = (name: keyof SearchFilters, query: Criterion | '' | false | undefined): FilterCriteria[] =>
  query ? [{ name, queries: [query] }] : []
const listed = (
  name: keyof SearchFilters,
  field: Criterion['field'],
  values: readonly (string | number)[],
): FilterCriteria[] => one(name, values.length > 0 && criterion(field, { values }))

const inFolder = (path: string) => (path.endsWith('/') ? path : `${path}/`)

/** Conditions and groups, combined with AND or OR. */
const group = (
  searchOperator: 'AND' | 'OR',
  searchQueries: Criterion[],
  searchQueryNodes: SearchQueryNode[] = [],
): SearchQueryNode => ({ searchOperator, searchQueries, searchQueryNodes })

function placeCriteria({ storageAndPath, volumeAndPath }: SearchFilters): FilterCriteria[] {
  const places = [...storageAndPath, ...volumeAndPath]
    .map(readPlace)
    .map(({ volumeId, path }) => [
      criterion('volumeId', { values: [volumeId] }),
      ...(path === '/' ? [] : [criterion('path', { startsWith: inFolder(path) })]),
    ])
  const any = group(
    'OR',
    [],
    places.map((queries) => group('AND', queries)),
  )
  return places.length > 0 ? [{ name: 'storageAndPath', queries: [], nodes: [any] }] : []
}

/** The wildcards that together find the same names as a typed text. */
const wildcardsOf = (typed: string): string[] =>
  isPattern(typed) ? [typed] : [...new Set(wordsOf(typed))].map((word) => `*${literalPattern(word)}*`)

const wordCriteria = (name: 'search' | 'name', typed: string | undefined): FilterCriteria[] =>
  typed ? [{ name, queries: wildcardsOf(typed).map((wildcard) => criterion('name', { wildcard })) }] : []

/** `*.*` excludes files with an extension, and folders with a dot in their name. */
function ignoreCriteria({ ignorePattern }: SearchFilters): FilterCriteria[] {
  const except = (field: 'extension' | 'name' | 'path', wildcard: string) => criterion(field, { wildcard }, true)
  const queries = ignorePattern.map((pattern) =>
    pattern === withExtension ? except('extension', '?*') : except(pattern.includes('/') ? 'path' : 'name', pattern),
  )
  const foldersWithoutDot = group('OR', [criterion('isDirectory', { value: false }), except('name', withExtension)])
  const nodes = ignorePattern.includes(withExtension) ? [foldersWithoutDot] : []
  return queries.length > 0 ? [{ name: 'ignorePattern', queries, nodes }] : []
}

/** Types are lists of extensions; the files of other types have none of those that were not chosen. */
function typeCriteria({ fileType = [] }: SearchFilters): FilterCriteria[] {
  if (fileType.length === 0) return []
  const excludes = fileType.includes(otherType)
  const values = fileTypeNames.filter((type) => fileType.includes(type) !== excludes).flatMap(extensionsOf)
  const ofTypes = values.length > 0 ? [criterion('extension', { values }, excludes)] : []
  return [{ name: 'fileType', queries: [criterion('isDirectory', { value: false }), ...ofTypes] }]
}

function rangeCriteria(filters: SearchFilters): FilterCriteria[] {
  const ofSizes = rangeFields('bytes').flatMap((field) =>
    filterRanges[field].flatMap((name, isUpper) => {
      const size = filters[name]
      const bytes = size === undefined ? undefined : bytesOf(size, filters[unitNameOf(name)], filters.sizeBase)
      return one(name, bytes !== undefined && criterion(field, { [isUpper ? 'max' : 'min']: bytes }))
    }),
  )
  const others = [...rangeFields('count'), ...rangeFields('moment')].flatMap((field) =>
    filterRanges[field].flatMap((name, isUpper) => {
      const value = filters[name]
      const [lower, upper] = typeof value === 'number' ? ['min', 'max'] : ['after', 'before']
      return one(name, value !== undefined && criterion(field, { [isUpper ? upper : lower]: value }))
    }),
  )
  return [...ofSizes, ...others]
}
