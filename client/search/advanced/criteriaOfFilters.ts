import { bytesOf, readPlace, type SearchFilters, withExtension } from '#events/search-filters.ts'
import type { FilterName } from '../filterNames.ts'

type Query = Record<string, unknown>
const wildcard = /[*?]/
const part = (text: string) => (wildcard.test(text) ? text : `*${text}*`)
const below = (path: string) => (path.endsWith('/') ? path : `${path}/`)

/** What conditions cannot ask: backup dates and reports are found by filters alone. */
export const filtersAlone = ['backupAfter', 'backupBefore', 'reports', 'report'] as const satisfies FilterName[]

/** The filters of a search as conditions, but for `filtersAlone`. */
export function criteriaOfFilters(filters: SearchFilters): string {
  const searchQueries = [...named(filters), ...measured(filters), ...flagged(filters)]
  const places = [...filters.storageAndPath].map(readPlace).map(({ volumeId, path }) => ({
    searchQueries: [
      { volumeId: { values: [volumeId] } },
      ...(path === '/' ? [] : [{ path: { startsWith: below(path) } }]),
    ],
  }))
  const searchQueryNodes = [
    ...(places.length > 0 ? [{ searchOperator: 'OR', searchQueries: [], searchQueryNodes: places }] : []),
    ...(filters.ignorePattern.includes(withExtension) ? [foldersWithoutDot] : []),
  ]
  return JSON.stringify({ searchOperator: 'AND', searchQueries, searchQueryNodes })
}

/** What `*.*` leaves out has an extension if it is a file; of folders it is told by the name. */
const foldersWithoutDot = {
  searchOperator: 'OR',
  searchQueries: [{ isDirectory: { value: false } }, { name: { wildcard: withExtension }, excludeFilter: true }],
}

const given = (field: string, operator: string, value: unknown): Query[] =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
    ? []
    : [{ [field]: { [operator]: value } }]

const named = (filters: SearchFilters): Query[] => [
  ...given('name', 'wildcard', filters.search && part(filters.search)),
  ...given('name', 'wildcard', filters.name && part(filters.name)),
  ...filters.ignorePattern.map((pattern) =>
    pattern === withExtension
      ? { extension: { wildcard: '?*' }, excludeFilter: true }
      : { [pattern.includes('/') ? 'path' : 'name']: { wildcard: pattern }, excludeFilter: true },
  ),
  ...given('extension', 'values', filters.extension),
  ...given('volumeId', 'values', filters.volumeId),
  ...given('path', 'startsWith', filters.startingPath && below(filters.startingPath)),
  ...given('owner', 'wildcard', filters.owner),
  ...given('group', 'wildcard', filters.group),
  ...given('customTags', 'values', filters.tags),
]

const bytes = (size: number | undefined, unit: SearchFilters['minimumSizeUnit']) =>
  size === undefined ? undefined : bytesOf(size, unit)

const measured = (filters: SearchFilters): Query[] => [
  ...given('size', 'min', bytes(filters.minimumSize, filters.minimumSizeUnit)),
  ...given('size', 'max', bytes(filters.maximumSize, filters.maximumSizeUnit)),
  ...given('numberOfFiles', 'min', filters.minimumNumberOfFiles),
  ...given('numberOfFiles', 'max', filters.maximumNumberOfFiles),
  ...given('numberOfFolders', 'min', filters.minimumNumberOfFolders),
  ...given('numberOfFolders', 'max', filters.maximumNumberOfFolders),
  ...given('creationDate', 'after', filters.creationAfter),
  ...given('creationDate', 'before', filters.creationBefore),
  ...given('lastAccessDate', 'after', filters.lastAccessAfter),
  ...given('lastAccessDate', 'before', filters.lastAccessBefore),
  ...given('lastModifiedDate', 'after', filters.lastModifiedAfter),
  ...given('lastModifiedDate', 'before', filters.lastModifiedBefore),
]

const flagged = (filters: SearchFilters): Query[] => [
  ...given('isDupe', 'value', filters.onlyDuplicates),
  ...given('isDeleted', 'value', filters.showOnlyDeletedFiles || undefined),
]
