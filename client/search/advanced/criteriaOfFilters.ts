import { extensionsOf, fileTypeNames, otherType } from '#events/search/fileTypes.ts'
import {
  bytesOf,
  readPlace,
  type SearchFilters,
  type SizeBase,
  type SizeUnit,
  withExtension,
} from '#events/search/filters.ts'
import { isPattern, literalPattern, wordsOf } from '#events/search/patterns.ts'
import type { FilterName } from '#client/search/filters/filterNames.ts'
import { criteriaError } from '#client/parts/query-builder/criteria.ts'

type Query = Record<string, unknown>
/** Conditions of a filter. */
type FilterCriteria = { name: FilterName; searchQueries: Query[]; searchQueryNodes?: object[] }
/** The wildcards that together find the same names as a filter. */
const wildcardsOf = (typed: string): string[] =>
  isPattern(typed) ? [typed] : wordsOf(typed).map((word) => `*${literalPattern(word)}*`)
const inFolder = (path: string) => (path.endsWith('/') ? path : `${path}/`)

/** Filters without an equivalent condition: backup dates and reports. */
export const filtersAlone = ['backupAfter', 'backupBefore', 'reports', 'report'] as const satisfies FilterName[]

/** Filters of a search as conditions, without the omitted ones. */
export const criteriaOfFilters = (filters: SearchFilters): string =>
  toJson(criteriaByFilter(filters).filter(fitsInCriteria(filters)))

/** Filters that are not converted: `filtersAlone`, and those that exceed the limits of conditions. */
export const omittedFilters = (filters: SearchFilters): FilterName[] => {
  const fits = fitsInCriteria(filters)
  const omitted = criteriaByFilter(filters).filter((one) => !fits(one))
  return [...filtersAlone, ...omitted.map(({ name }) => name)]
}

const criteriaByFilter = (filters: SearchFilters): FilterCriteria[] => [
  ...placeCriteria(filters),
  ...nameCriteria(filters),
  ...numberCriteria(filters),
  ...flagCriteria(filters),
]

const toJson = (criteriaByFilter: readonly FilterCriteria[]): string =>
  JSON.stringify({
    searchOperator: 'AND',
    searchQueries: criteriaByFilter.flatMap(({ searchQueries }) => searchQueries),
    searchQueryNodes: criteriaByFilter.flatMap(({ searchQueryNodes = [] }) => searchQueryNodes),
  })

/**
 * Returns a predicate for the filters that fit in the criteria, which allow fewer and shorter conditions than filters.
 * Omits the longest filters first, so that as few as possible are lost. The search text is short and has priority.
 */
function fitsInCriteria(filters: SearchFilters): (one: FilterCriteria) => boolean {
  const all = criteriaByFilter(filters)
  if (criteriaError(toJson(all)) === undefined) return () => true
  const lengthOf = (one: FilterCriteria) => (one.name === 'search' ? 0 : toJson([one]).length)
  let fitted: FilterCriteria[] = []
  for (const one of all.toSorted((one, other) => lengthOf(one) - lengthOf(other)))
    if (criteriaError(toJson([...fitted, one])) === undefined) fitted = [...fitted, one]
  const names = new Set(fitted.map(({ name }) => name))
  return ({ name }) => names.has(name)
}

/** `*.*` excludes files with an extension, and folders with a dot in their name. */
const foldersWithoutDot = {
  searchOperator: 'OR',
  searchQueries: [{ isDirectory: { value: false } }, { name: { wildcard: withExtension }, excludeFilter: true }],
}

const criterion = (name: FilterName, field: string, operator: string, value: unknown): FilterCriteria[] =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
    ? []
    : [{ name, searchQueries: [{ [field]: { [operator]: value } }] }]

function placeCriteria({ storageAndPath }: SearchFilters): FilterCriteria[] {
  const places = storageAndPath.map(readPlace).map(({ volumeId, path }) => ({
    searchQueries: [
      { volumeId: { values: [volumeId] } },
      ...(path === '/' ? [] : [{ path: { startsWith: inFolder(path) } }]),
    ],
  }))
  const any = { searchOperator: 'OR', searchQueries: [], searchQueryNodes: places }
  return places.length > 0 ? [{ name: 'storageAndPath', searchQueries: [], searchQueryNodes: [any] }] : []
}

function ignoreCriteria({ ignorePattern }: SearchFilters): FilterCriteria[] {
  const searchQueries = ignorePattern.map((pattern) =>
    pattern === withExtension
      ? { extension: { wildcard: '?*' }, excludeFilter: true }
      : { [pattern.includes('/') ? 'path' : 'name']: { wildcard: pattern }, excludeFilter: true },
  )
  const searchQueryNodes = ignorePattern.includes(withExtension) ? [foldersWithoutDot] : []
  return searchQueries.length > 0 ? [{ name: 'ignorePattern', searchQueries, searchQueryNodes }] : []
}

function wordCriteria(name: 'search' | 'name', typed: string | undefined): FilterCriteria[] {
  const searchQueries = wildcardsOf(typed ?? '').map((wildcard) => ({ name: { wildcard } }))
  return typed ? [{ name, searchQueries }] : []
}

/** Types are lists of extensions; the files of other types have none of those that were not chosen. */
function typeCriteria({ fileType = [] }: SearchFilters): FilterCriteria[] {
  if (fileType.length === 0) return []
  const excludes = fileType.includes(otherType)
  const listed = fileTypeNames.filter((type) => fileType.includes(type) !== excludes).flatMap(extensionsOf)
  const ofTypes = listed.length > 0 ? [{ extension: { values: listed }, ...(excludes && { excludeFilter: true }) }] : []
  return [{ name: 'fileType', searchQueries: [{ isDirectory: { value: false } }, ...ofTypes] }]
}

const nameCriteria = (filters: SearchFilters): FilterCriteria[] => [
  ...wordCriteria('search', filters.search),
  ...wordCriteria('name', filters.name),
  ...ignoreCriteria(filters),
  ...criterion('extension', 'extension', 'values', filters.extension),
  ...typeCriteria(filters),
  ...criterion('volumeId', 'volumeId', 'values', filters.volumeId),
  ...criterion('startingPath', 'path', 'startsWith', filters.startingPath && inFolder(filters.startingPath)),
  ...criterion('owner', 'owner', 'wildcard', filters.owner),
  ...criterion('group', 'group', 'wildcard', filters.group),
  ...criterion('tags', 'customTags', 'values', filters.tags),
]

const bytesOrNone = (size: number | undefined, unit: SizeUnit | undefined, base: SizeBase | undefined) =>
  size === undefined ? undefined : bytesOf(size, unit, base)

const numberCriteria = (filters: SearchFilters): FilterCriteria[] => [
  ...criterion(
    'minimumSize',
    'size',
    'min',
    bytesOrNone(filters.minimumSize, filters.minimumSizeUnit, filters.sizeBase),
  ),
  ...criterion(
    'maximumSize',
    'size',
    'max',
    bytesOrNone(filters.maximumSize, filters.maximumSizeUnit, filters.sizeBase),
  ),
  ...criterion(
    'minimumAllocatedSize',
    'allocatedSize',
    'min',
    bytesOrNone(filters.minimumAllocatedSize, filters.minimumAllocatedSizeUnit, filters.sizeBase),
  ),
  ...criterion(
    'maximumAllocatedSize',
    'allocatedSize',
    'max',
    bytesOrNone(filters.maximumAllocatedSize, filters.maximumAllocatedSizeUnit, filters.sizeBase),
  ),
  ...criterion('minimumNumberOfFiles', 'numberOfFiles', 'min', filters.minimumNumberOfFiles),
  ...criterion('maximumNumberOfFiles', 'numberOfFiles', 'max', filters.maximumNumberOfFiles),
  ...criterion('minimumNumberOfFolders', 'numberOfFolders', 'min', filters.minimumNumberOfFolders),
  ...criterion('maximumNumberOfFolders', 'numberOfFolders', 'max', filters.maximumNumberOfFolders),
  ...criterion('creationAfter', 'creationDate', 'after', filters.creationAfter),
  ...criterion('creationBefore', 'creationDate', 'before', filters.creationBefore),
  ...criterion('lastAccessAfter', 'lastAccessDate', 'after', filters.lastAccessAfter),
  ...criterion('lastAccessBefore', 'lastAccessDate', 'before', filters.lastAccessBefore),
  ...criterion('lastModifiedAfter', 'lastModifiedDate', 'after', filters.lastModifiedAfter),
  ...criterion('lastModifiedBefore', 'lastModifiedDate', 'before', filters.lastModifiedBefore),
]

const flagCriteria = (filters: SearchFilters): FilterCriteria[] => [
  ...criterion('onlyDuplicates', 'isDupe', 'value', filters.onlyDuplicates),
  ...criterion('showOnlyDeletedFiles', 'isDeleted', 'value', filters.showOnlyDeletedFiles || undefined),
  ...criterion('archived', 'archived', 'values', filters.archived),
]
