import {
  type DifferenceSort,
  differenceSorts,
  growthFields,
  type KindOfChange,
  kindsOfChange,
} from '#events/comparison.ts'
import { readFolderPlace } from '#client/parts/folder-place/folderPlace.ts'
import type { Direction } from '#events/contract/page.ts'
import { pageSizes } from '#client/parts/pagination/pageSizes.ts'
import type { Sort } from '#client/ui/table/column.ts'
import { useQuery } from '#client/app/address.ts'

/** A folder of a storage; without a storage, everything. */
export type ComparedPlace = { volumeId: number | undefined; path: string }
export type GrowthField = (typeof growthFields)[number]
export type DifferenceList = 'files' | 'folders'

/** View of a comparison. */
export type ComparisonAddress = {
  /** Empty means all kinds. */
  kinds: KindOfChange[]
  /** Owner or extension of the listed files; empty for all. */
  owner: string
  extension: string
  /** Grouping, order and number of the growth rows. */
  by: GrowthField
  growth: Direction
  parts: number
  list: DifferenceList
  sort: Sort & { field: DifferenceSort }
  page: number
  size: number
}

/** Number of growth rows: initially, per click on more, and maximum. */
const defaultParts = 10
export const partsPerClick = 25
export const maxParts = 1000
const defaultSize = 50
const defaultSort = { field: 'change', direction: 'desc' } as const

/** Compared folder in the URL; undefined if invalid. */
export function readPlace(query: URLSearchParams): ComparedPlace | undefined {
  const path = query.get('path') || '/'
  const id = query.get('volumeId')
  if (id !== null && id !== '') return readFolderPlace(query)
  return path === '/' ? { volumeId: undefined, path } : undefined
}

/** Invalid parameters get their default. */
export function readComparisonAddress(query: URLSearchParams): ComparisonAddress {
  const number = (name: string) => Number(/^\d{1,9}$/.exec(query.get(name) ?? '')?.[0] ?? 0)
  const kinds = query.getAll('kind').flatMap((words) => words.toUpperCase().split(','))
  const field = differenceSorts.find((field) => field === query.get('sort'))
  const direction = query.get('direction')?.toLowerCase() === 'asc' ? 'asc' : 'desc'
  return {
    kinds: kindsOfChange.filter((kind) => kinds.includes(kind)),
    owner: query.get('owner') ?? '',
    extension: query.get('extension') ?? '',
    by: growthFields.find((field) => field === query.get('by')) ?? 'folder',
    growth: query.get('growth') === 'asc' ? 'asc' : 'desc',
    parts: Math.min(maxParts, Math.max(defaultParts, number('parts'))),
    list: query.get('tab') === 'folders' ? 'folders' : 'files',
    sort: field ? { field, direction } : defaultSort,
    page: Math.max(1, number('page')),
    size: pageSizes.find((size) => size === number('size')) ?? defaultSize,
  }
}

type Change = Partial<ComparisonAddress>

/** Changes the query. A changed list starts at page 1, changed growth at the initial number of rows. */
export function withChange(query: URLSearchParams, change: Change): void {
  const old = readComparisonAddress(query)
  const isAnotherList = ['kinds', 'owner', 'extension', 'list', 'sort', 'size'].some((name) => name in change)
  const areOtherParts = 'by' in change || 'growth' in change
  const next = { ...old, ...(isAnotherList && { page: 1 }), ...(areOtherParts && { parts: defaultParts }), ...change }
  const set = (name: string, word: string, defaultValue: string) => {
    if (word === defaultValue) query.delete(name)
    else query.set(name, word)
  }
  const { field, direction } = next.sort
  const isUsual = field === defaultSort.field && direction === defaultSort.direction
  set('kind', next.kinds.join(','), '')
  set('owner', next.owner, '')
  set('extension', next.extension, '')
  set('by', next.by, 'folder')
  set('growth', next.growth, 'desc')
  set('parts', String(next.parts), String(defaultParts))
  set('tab', next.list, 'files')
  set('sort', isUsual ? '' : field, '')
  set('direction', isUsual ? '' : direction, '')
  set('page', String(next.page), '1')
  set('size', String(next.size), String(defaultSize))
}

/** Adds or removes a kind. */
export const toggled = (kinds: readonly KindOfChange[], kind: KindOfChange): KindOfChange[] =>
  kindsOfChange.filter((one) => (one === kind) !== kinds.includes(one))

export type ChangeComparison = (change: Change) => void

/** View of the comparison in the URL, and a function that changes it and adds a history entry. */
export function useComparisonAddress(): [ComparisonAddress, ChangeComparison] {
  const [query, changeQuery] = useQuery()
  return [readComparisonAddress(query), (change) => changeQuery((query) => withChange(query, change))]
}
