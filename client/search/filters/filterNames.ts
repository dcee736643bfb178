import { noFilters, type SearchFilters } from '#events/search/filters.ts'

export type FilterName = keyof SearchFilters

/** The filters of a search in the words of the screen, in their order. Of two names of one thing the first is kept. */
export const filterLabels: Record<FilterName, string> = {
  search: 'Search',
  name: 'Name',
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
  minimumNumberOfFiles: 'Minimum number of files',
  maximumNumberOfFiles: 'Maximum number of files',
  minimumNumberOfFolders: 'Minimum number of folders',
  maximumNumberOfFolders: 'Maximum number of folders',
  onlyDuplicates: 'Only duplicates',
  showOnlyDeletedFiles: 'Show only deleted files',
}
export const filterNames = Object.keys(filterLabels) as FilterName[]

/** The name that a filter has where an address is written. */
export const canonicalName = (name: FilterName): FilterName =>
  filterNames.find((other) => filterLabels[other] === filterLabels[name]) ?? name

/** Whether a filter may be given several times. */
export const isList = (name: FilterName): boolean => Array.isArray(noFilters[name])

/** The values of filters as an address holds them. A filter without values is not set. */
export type FilterWords = Partial<Record<FilterName, readonly string[]>>

export const wordOf = (words: FilterWords, name: FilterName): string => words[name]?.[0] ?? ''
