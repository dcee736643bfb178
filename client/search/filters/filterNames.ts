import { SearchFilters, type SizeBase } from '#events/search/filters.ts'

export type FilterName = keyof SearchFilters

/** Filters with their labels, in display order. If two have the same label, the first one is the canonical name. */
export const filterLabels: Record<FilterName, string> = {
  search: 'Search',
  name: 'Name',
  fileType: 'Type',
  extension: 'Extension',
  volumeId: 'Storage',
  storageId: 'Storage',
  startingPath: 'Starting path',
  storageAndPath: 'Storage and path',
  volumeAndPath: 'Storage and path',
  ignorePattern: 'Ignore pattern',
  owner: 'Owner',
  group: 'Group',
  tags: 'Tags',
  tag: 'Tags',
  reports: 'Reports',
  report: 'Reports',
  creationAfter: 'Created after',
  creationBefore: 'Created before',
  lastAccessAfter: 'Last access after',
  lastAccessBefore: 'Last access before',
  lastModifiedAfter: 'Last modified after',
  lastModifiedBefore: 'Last modified before',
  backupAfter: 'Backup after',
  backupBefore: 'Backup before',
  minimumSize: 'Minimum size',
  minimumSizeUnit: 'Unit of the minimum size',
  maximumSize: 'Maximum size',
  maximumSizeUnit: 'Unit of the maximum size',
  minimumAllocatedSize: 'Minimum size on disk',
  minimumAllocatedSizeUnit: 'Unit of the minimum size on disk',
  maximumAllocatedSize: 'Maximum size on disk',
  maximumAllocatedSizeUnit: 'Unit of the maximum size on disk',
  sizeBase: 'Base of the size units',
  minimumNumberOfFiles: 'Minimum number of files',
  maximumNumberOfFiles: 'Maximum number of files',
  minimumNumberOfFolders: 'Minimum number of folders',
  maximumNumberOfFolders: 'Maximum number of folders',
  onlyDuplicates: 'Only duplicates',
  showOnlyDeletedFiles: 'Show only deleted files',
  archived: 'Archive state',
}
export const filterNames = Object.keys(filterLabels) as FilterName[]

/** Filters whose values are days. */
export const dayNames: readonly FilterName[] = filterNames.filter((name) =>
  /^(creation|last(Access|Modified)|backup)(After|Before)$/.test(name),
)

/** Name of a filter in generated URLs. */
export const canonicalName = (name: FilterName): FilterName =>
  filterNames.find((other) => filterLabels[other] === filterLabels[name]) ?? name

const lists = new Set(filterNames.filter((name) => SearchFilters.safeParse({ [name]: [] }).success))

/** True if a filter can have several values. */
export const isList = (name: FilterName): boolean => lists.has(name)

/** Values of filters as in the URL. A filter without values is not set. */
export type FilterParams = Partial<Record<FilterName, readonly string[]>>

export const paramOf = (params: FilterParams, name: FilterName): string => params[name]?.[0] ?? ''

/** Filters of sizes, with those of their units. */
export const sizeUnitNames = {
  minimumSize: 'minimumSizeUnit',
  maximumSize: 'maximumSizeUnit',
  minimumAllocatedSize: 'minimumAllocatedSizeUnit',
  maximumAllocatedSize: 'maximumAllocatedSizeUnit',
} as const satisfies Partial<Record<FilterName, FilterName>>
export type SizeName = keyof typeof sizeUnitNames
export const sizeNames = Object.keys(sizeUnitNames) as SizeName[]

/** Base of the size units in a URL: that of its sizes, or if it has none, that of this browser. */
export function sizeBaseOf(params: FilterParams, own: SizeBase): SizeBase {
  const hasSize = sizeNames.some((name) => paramOf(params, name) !== '')
  const base = hasSize ? paramOf(params, 'sizeBase') : own
  return base === '10' ? '10' : '2'
}
