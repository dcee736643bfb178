import { entryFields, wordOf } from '#events/entries/fields.ts'
import { filterRanges, rangeFields, sizeNames, unitNameOf } from '#events/search/filterRanges.ts'
import { filterKeys, type FilterName, isList, type SizeBase } from '#events/search/filters.ts'
import type { FilterParams } from '#events/search/terms.ts'

export { type FilterName, type FilterParams, isList }

const ranges = rangeFields('moment', 'bytes', 'count').flatMap((field): [FilterName, string][] => {
  const [lower, upper] = filterRanges[field]
  const word = wordOf(field)
  if (entryFields[field].kind === 'moment')
    return [
      [lower, `${word} after`],
      [upper, `${word} before`],
    ]
  return [
    [lower, `Minimum ${word.toLowerCase()}`],
    [upper, `Maximum ${word.toLowerCase()}`],
  ]
})
const units = sizeNames.map((name): [FilterName, string] => [
  unitNameOf(name),
  `Unit of the ${Object.fromEntries(ranges)[name]?.toLowerCase()}`,
])

/** Labels of the filters. If two have the same label, the first one in `filterNames` is the canonical name. */
export const filterLabels = {
  search: 'Search',
  name: wordOf('name'),
  fileType: 'Type',
  extension: wordOf('extension'),
  volumeId: 'Storage',
  storageId: 'Storage',
  startingPath: 'Starting path',
  storageAndPath: 'Storage and path',
  volumeAndPath: 'Storage and path',
  ignorePattern: 'Ignore pattern',
  owner: wordOf('owner'),
  group: wordOf('group'),
  tags: 'Tags',
  tag: 'Tags',
  reports: 'Reports',
  report: 'Reports',
  onlyDuplicates: 'Only duplicates',
  showOnlyDeletedFiles: 'Show only deleted files',
  archived: wordOf('archive'),
  sizeBase: 'Base of the size units',
  ...Object.fromEntries([...ranges, ...units]),
} as Record<FilterName, string>
/** Filters in display order. */
export const filterNames: readonly FilterName[] = filterKeys

/** Name of a filter in generated URLs. */
export const canonicalName = (name: FilterName): FilterName =>
  filterNames.find((other) => filterLabels[other] === filterLabels[name]) ?? name

export const paramOf = (params: FilterParams, name: FilterName): string => params[name]?.[0] ?? ''

/** Base of the size units in a URL: that of its sizes, or if it has none, that of this browser. */
export function sizeBaseOf(params: FilterParams, own: SizeBase): SizeBase {
  const hasSize = sizeNames.some((name) => paramOf(params, name) !== '')
  const base = hasSize ? paramOf(params, 'sizeBase') : own
  return base === '10' ? '10' : '2'
}
