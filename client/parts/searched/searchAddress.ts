import { useMemo } from 'react'
import { WrittenCriteria } from '#events/search/criteria.ts'
import { type ListSort, listSorts } from '#events/entries.ts'
import { readInput } from '#events/contract/input.ts'
import { noFilters, SearchFilters } from '#events/search/filters.ts'
import type { SearchInput } from '#events/search/searched.ts'
import { fieldErrors } from '#client/app/form.ts'
import { pageSizes } from '#client/parts/pagination/pageSizes.ts'
import type { Sort } from '#client/ui/table/column.ts'
import { useQuery } from '#client/app/address.ts'
import { criteriaError } from '#client/parts/query-builder/criteria.ts'
import { type FilterName, type FilterParams, filterNames, isList, canonicalName } from './filterNames.ts'

export type ListKind = 'files' | 'folders'

/** Tabs of the search, in the order of their numbers in the URL. */
const searchTabs = ['files', 'folders', 'analytics', 'duplicates'] as const
export type SearchTab = (typeof searchTabs)[number]

export type SearchAddress = {
  /** Filters for the API, and as in the URL. */
  filters: SearchFilters
  params: FilterParams
  /** Conditions instead of filters, as JSON. */
  criteria: string | undefined
  tab: SearchTab
  page: number
  /** If missing in the URL, the setting of this browser is used. */
  size: number | undefined
  sort: Sort | undefined
  /** Ignored parameters, with the reason. */
  invalid: string[]
}

export function readSearchAddress(search: URLSearchParams): SearchAddress {
  const invalid: string[] = []
  const params = readParams(search, invalid)
  const read = SearchFilters.safeParse(toSchemaInput(params))
  const number = (name: string) => readNumber(search, name, invalid)
  const tab = number('activeTab') ?? 0
  const size = number('size')
  if (tab >= searchTabs.length) invalid.push('activeTab must be 0, 1, 2 or 3')
  if (size !== undefined && !isPageSize(size)) invalid.push(`size must be one of ${pageSizes.join(', ')}`)
  return {
    filters: read.data ?? noFilters,
    params,
    criteria: readCriteria(search, invalid),
    tab: searchTabs[tab] ?? 'files',
    page: Math.max(1, number('page') ?? 1),
    size: isPageSize(size) ? size : undefined,
    sort: readSort(search, invalid),
    invalid,
  }
}

/** True without any filter or condition. */
export const isEmptySearch = ({ params, criteria }: Pick<SearchAddress, 'params' | 'criteria'>): boolean =>
  criteria === undefined && Object.keys(params).length === 0

/** Search of a URL for the API: filters or conditions. */
export const searchedBy = ({ filters, criteria }: Pick<SearchAddress, 'filters' | 'criteria'>): SearchInput =>
  criteria === undefined ? { filters } : { criteria: WrittenCriteria.parse(JSON.parse(criteria)) }

type Change = Partial<Pick<SearchAddress, 'params' | 'tab' | 'page' | 'size' | 'sort' | 'criteria'>>

/**
 * Changes the query. Other filters are kept, and invalid parameters are removed. Any change starts at page 1, and each
 * list has its own sort order.
 */
export function withSearchAddress(search: URLSearchParams, { params, ...change }: Change): URLSearchParams {
  const old = readSearchAddress(search)
  const base = 'tab' in change && change.tab !== old.tab ? { ...old, size: undefined, sort: undefined } : old
  const { tab, page, size, sort, criteria } = { ...base, page: 1, ...change }
  const next = new URLSearchParams()
  for (const [name, values] of Object.entries({ ...old.params, ...params }))
    for (const value of values) if (value !== '') next.append(name, value)
  if (criteria !== undefined) next.set('criteria', criteria)
  if (tab !== 'files') next.set('activeTab', String(searchTabs.indexOf(tab)))
  if (sort) {
    next.set('sort', sort.field)
    next.set('direction', sort.direction)
  }
  if (page > 1) next.set('page', String(page))
  if (size !== undefined) next.set('size', String(size))
  for (const name of ['policy', 'date']) {
    const kept = search.get(name)
    if (kept !== null) next.set(name, kept)
  }
  return next
}

/** Valid filters in the URL; collects the invalid ones. */
function readParams(search: URLSearchParams, invalid: string[]): FilterParams {
  const params: Partial<Record<FilterName, string[]>> = {}
  for (const name of filterNames) {
    const raw = search.getAll(name).filter((word) => word !== '')
    const valid = (isList(name) ? raw : raw.slice(0, 1)).filter((word) => {
      const error = filterError(name, word)
      if (error !== undefined) invalid.push(error)
      return error === undefined
    })
    const canonical = canonicalName(name)
    if (valid.length > 0) params[canonical] = [...new Set([...(params[canonical] ?? []), ...valid])]
  }
  for (const name of Object.keys(params) as FilterName[]) {
    const error = filterError(name, params[name] as string[])
    if (error === undefined) continue
    invalid.push(error)
    delete params[name]
  }
  return params
}

/** Validation error of a filter, as a sentence with its name. */
export function filterError(name: FilterName, word: string | readonly string[]): string | undefined {
  const value = typeof word === 'string' || isList(name) ? word : word[0]
  const [error] = readInput(SearchFilters, { [name]: value }).subErrors ?? []
  return error && fieldErrors([{ field: name, message: error.message }])[name]
}

/** Input for the schema: a single value for filters that are not lists. */
const toSchemaInput = (params: FilterParams) =>
  Object.fromEntries(Object.entries(params).map(([name, list]) => [name, isList(name as FilterName) ? list : list[0]]))

function readCriteria(search: URLSearchParams, invalid: string[]): string | undefined {
  const criteria = search.get('criteria')
  if (!criteria) return undefined
  const error = criteriaError(criteria)
  if (error === undefined) return criteria
  invalid.push(error)
  return undefined
}

function readNumber(search: URLSearchParams, name: string, invalid: string[]): number | undefined {
  const word = search.get(name)
  if (word === null || word === '') return undefined
  if (/^\d{1,9}$/.test(word)) return Number(word)
  invalid.push(`${name} must be a whole number`)
  return undefined
}

const isPageSize = (size: number | undefined): size is number => pageSizes.some((each) => each === size)
export const isSort = (field: string | null): field is ListSort => listSorts.some((sort) => sort === field)

function readSort(search: URLSearchParams, invalid: string[]): Sort | undefined {
  const field = search.get('sort')
  if (!field) return undefined
  const direction = search.get('direction')?.toLowerCase() === 'desc' ? 'desc' : 'asc'
  if (isSort(field)) return { field, direction }
  invalid.push(`sort must be one of ${listSorts.join(', ')}`)
  return undefined
}

export type ChangeSearch = (change: Parameters<typeof withSearchAddress>[1]) => void

/** Search in the URL, and a function that changes it and adds a history entry. */
export function useSearchAddress(): [SearchAddress, ChangeSearch] {
  const [query, changeQuery] = useQuery()
  const text = query.toString()
  const address = useMemo(() => readSearchAddress(new URLSearchParams(text)), [text])
  const changeSearch: ChangeSearch = (change) =>
    changeQuery((query) => {
      const next = withSearchAddress(query, change)
      for (const name of new Set(query.keys())) query.delete(name)
      for (const [name, value] of next) query.append(name, value)
    })
  return [address, changeSearch]
}

/** Some proxies reject URLs over 8 KiB; this leaves room for the rest. */
const maxCriteriaLength = 7_500

/** True if conditions are too long for a URL, in which non-Latin characters take up to nine times the space. */
export const isTooLong = (criteria: string): boolean =>
  new URLSearchParams({ criteria }).toString().length > maxCriteriaLength
