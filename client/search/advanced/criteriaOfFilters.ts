import { bytesOf, readPlace, type SearchFilters, withExtension } from '#events/search-filters.ts'
import type { FilterName } from '../filterNames.ts'
import { faultOfCriteria } from './criteriaOf.ts'

type Query = Record<string, unknown>
/** What one filter asks. */
type Asked = { name: FilterName; searchQueries: Query[]; searchQueryNodes?: object[] }
const wildcard = /[*?]/
const part = (text: string) => (wildcard.test(text) ? text : `*${text}*`)
const below = (path: string) => (path.endsWith('/') ? path : `${path}/`)

/** What conditions cannot ask: backup dates and reports are found by filters alone. */
export const filtersAlone = ['backupAfter', 'backupBefore', 'reports', 'report'] as const satisfies FilterName[]

/** The filters of a search as conditions, but for those that are left out. */
export const criteriaOfFilters = (filters: SearchFilters): string => written(asked(filters).filter(fitting(filters)))

/** The filters that have no condition: `filtersAlone`, and those for which conditions have no room. */
export const leftOutOf = (filters: SearchFilters): FilterName[] => {
  const fits = fitting(filters)
  const left = asked(filters).filter((one) => !fits(one))
  return [...filtersAlone, ...left.map(({ name }) => name)]
}

const asked = (filters: SearchFilters): Asked[] => [
  ...placed(filters),
  ...named(filters),
  ...measured(filters),
  ...flagged(filters),
]

const written = (asked: readonly Asked[]): string =>
  JSON.stringify({
    searchOperator: 'AND',
    searchQueries: asked.flatMap(({ searchQueries }) => searchQueries),
    searchQueryNodes: asked.flatMap(({ searchQueryNodes = [] }) => searchQueryNodes),
  })

/**
 * Which filters are taken as conditions. Of those there are not as many, and not of as many letters, as filters may have: the
 * longest go without, so that the fewest do. The searched text, which is short, comes first.
 */
function fitting(filters: SearchFilters): (one: Asked) => boolean {
  const all = asked(filters)
  if (faultOfCriteria(written(all)) === undefined) return () => true
  const lengthOf = (one: Asked) => (one.name === 'search' ? 0 : written([one]).length)
  let kept: Asked[] = []
  for (const one of all.toSorted((one, other) => lengthOf(one) - lengthOf(other)))
    if (faultOfCriteria(written([...kept, one])) === undefined) kept = [...kept, one]
  const names = new Set(kept.map(({ name }) => name))
  return ({ name }) => names.has(name)
}

/** What `*.*` leaves out has an extension if it is a file; of folders it is told by the name. */
const foldersWithoutDot = {
  searchOperator: 'OR',
  searchQueries: [{ isDirectory: { value: false } }, { name: { wildcard: withExtension }, excludeFilter: true }],
}

const given = (name: FilterName, field: string, operator: string, value: unknown): Asked[] =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
    ? []
    : [{ name, searchQueries: [{ [field]: { [operator]: value } }] }]

function placed({ storageAndPath }: SearchFilters): Asked[] {
  const places = storageAndPath.map(readPlace).map(({ volumeId, path }) => ({
    searchQueries: [
      { volumeId: { values: [volumeId] } },
      ...(path === '/' ? [] : [{ path: { startsWith: below(path) } }]),
    ],
  }))
  const any = { searchOperator: 'OR', searchQueries: [], searchQueryNodes: places }
  return places.length > 0 ? [{ name: 'storageAndPath', searchQueries: [], searchQueryNodes: [any] }] : []
}

function ignoring({ ignorePattern }: SearchFilters): Asked[] {
  const searchQueries = ignorePattern.map((pattern) =>
    pattern === withExtension
      ? { extension: { wildcard: '?*' }, excludeFilter: true }
      : { [pattern.includes('/') ? 'path' : 'name']: { wildcard: pattern }, excludeFilter: true },
  )
  const searchQueryNodes = ignorePattern.includes(withExtension) ? [foldersWithoutDot] : []
  return searchQueries.length > 0 ? [{ name: 'ignorePattern', searchQueries, searchQueryNodes }] : []
}

const named = (filters: SearchFilters): Asked[] => [
  ...given('search', 'name', 'wildcard', filters.search && part(filters.search)),
  ...given('name', 'name', 'wildcard', filters.name && part(filters.name)),
  ...ignoring(filters),
  ...given('extension', 'extension', 'values', filters.extension),
  ...given('volumeId', 'volumeId', 'values', filters.volumeId),
  ...given('startingPath', 'path', 'startsWith', filters.startingPath && below(filters.startingPath)),
  ...given('owner', 'owner', 'wildcard', filters.owner),
  ...given('group', 'group', 'wildcard', filters.group),
  ...given('tags', 'customTags', 'values', filters.tags),
]

const bytes = (size: number | undefined, unit: SearchFilters['minimumSizeUnit']) =>
  size === undefined ? undefined : bytesOf(size, unit)

const measured = (filters: SearchFilters): Asked[] => [
  ...given('minimumSize', 'size', 'min', bytes(filters.minimumSize, filters.minimumSizeUnit)),
  ...given('maximumSize', 'size', 'max', bytes(filters.maximumSize, filters.maximumSizeUnit)),
  ...given('minimumNumberOfFiles', 'numberOfFiles', 'min', filters.minimumNumberOfFiles),
  ...given('maximumNumberOfFiles', 'numberOfFiles', 'max', filters.maximumNumberOfFiles),
  ...given('minimumNumberOfFolders', 'numberOfFolders', 'min', filters.minimumNumberOfFolders),
  ...given('maximumNumberOfFolders', 'numberOfFolders', 'max', filters.maximumNumberOfFolders),
  ...given('creationAfter', 'creationDate', 'after', filters.creationAfter),
  ...given('creationBefore', 'creationDate', 'before', filters.creationBefore),
  ...given('lastAccessAfter', 'lastAccessDate', 'after', filters.lastAccessAfter),
  ...given('lastAccessBefore', 'lastAccessDate', 'before', filters.lastAccessBefore),
  ...given('lastModifiedAfter', 'lastModifiedDate', 'after', filters.lastModifiedAfter),
  ...given('lastModifiedBefore', 'lastModifiedDate', 'before', filters.lastModifiedBefore),
]

const flagged = (filters: SearchFilters): Asked[] => [
  ...given('onlyDuplicates', 'isDupe', 'value', filters.onlyDuplicates),
  ...given('showOnlyDeletedFiles', 'isDeleted', 'value', filters.showOnlyDeletedFiles || undefined),
]
