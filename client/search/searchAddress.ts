import { useMemo } from 'react'
import { WrittenCriteria } from '#events/search/criteria.ts'
import { type ListSort, listSorts } from '#events/entries.ts'
import { readInput } from '#events/contract/input.ts'
import { noFilters, SearchFilters } from '#events/search/filters.ts'
import type { SearchInput } from '#events/search/searched.ts'
import { fieldErrors } from '#client/app/form.ts'
import { pageSizes } from '#client/parts/pagination/Pagination.tsx'
import type { Sort } from '#client/ui/table/column.ts'
import { useQuery } from '#client/app/address.ts'
import { criteriaError } from '#client/parts/query-builder/criteria.ts'
import { type FilterName, type FilterWords, filterNames, isList, canonicalName } from './filters/filterNames.ts'

/** Which of the two lists of results. */
export type ListKind = 'files' | 'folders'

/** The sides of the search; the address numbers them. */
const searchTabs = ['files', 'folders', 'analytics'] as const
export type SearchTab = (typeof searchTabs)[number]

export type SearchAddress = {
  /** The filters, as calls take them and as the address holds them. */
  filters: SearchFilters
  words: FilterWords
  /** Conditions in place of the filters, as JSON. */
  criteria: string | undefined
  tab: SearchTab
  page: number
  /** What this browser remembers counts where the address does not say it. */
  size: number | undefined
  sort: Sort | undefined
  /** What of the address had to be left out, and why. */
  invalid: string[]
}

export function readSearchAddress(search: URLSearchParams): SearchAddress {
  const invalid: string[] = []
  const words = readWords(search, invalid)
  const read = SearchFilters.safeParse(toSchemaInput(words))
  const number = (name: string) => readNumber(search, name, invalid)
  const tab = number('activeTab') ?? 0
  const size = number('size')
  if (tab >= searchTabs.length) invalid.push('activeTab must be 0, 1 or 2')
  if (size !== undefined && !isPageSize(size)) invalid.push(`size must be one of ${pageSizes.join(', ')}`)
  return {
    filters: read.data ?? noFilters,
    words,
    criteria: readCriteria(search, invalid),
    tab: searchTabs[tab] ?? 'files',
    page: Math.max(1, number('page') ?? 1),
    size: isPageSize(size) ? size : undefined,
    sort: readSort(search, invalid),
    invalid,
  }
}

/** What an address searches for, as calls take it: its filters, or the conditions in their place. */
export const searchedBy = ({ filters, criteria }: Pick<SearchAddress, 'filters' | 'criteria'>): SearchInput =>
  criteria === undefined ? { filters } : { criteria: WrittenCriteria.parse(JSON.parse(criteria)) }

type Change = Partial<Pick<SearchAddress, 'words' | 'tab' | 'page' | 'size' | 'sort' | 'criteria'>>

/**
 * The address with some of it changed; filters that are not named stay. Any change begins at the first page, and another
 * list has an order of its own. What the address had to leave out is gone then.
 */
export function withSearchAddress(search: URLSearchParams, { words, ...change }: Change): URLSearchParams {
  const old = readSearchAddress(search)
  const base = 'tab' in change && change.tab !== old.tab ? { ...old, size: undefined, sort: undefined } : old
  const { tab, page, size, sort, criteria } = { ...base, page: 1, ...change }
  const next = new URLSearchParams()
  for (const [name, values] of Object.entries({ ...old.words, ...words }))
    for (const value of values) if (value !== '') next.append(name, value)
  if (criteria !== undefined) next.set('criteria', criteria)
  if (tab !== 'files') next.set('activeTab', String(searchTabs.indexOf(tab)))
  if (sort) {
    next.set('sort', sort.field)
    next.set('direction', sort.direction)
  }
  if (page > 1) next.set('page', String(page))
  if (size !== undefined) next.set('size', String(size))
  const date = search.get('date')
  if (date !== null) next.set('date', date)
  return next
}

/** Every filter of an address that can be asked; each that cannot is named. */
function readWords(search: URLSearchParams, invalid: string[]): FilterWords {
  const words: Partial<Record<FilterName, string[]>> = {}
  for (const name of filterNames) {
    const raw = search.getAll(name).filter((word) => word !== '')
    const valid = (isList(name) ? raw : raw.slice(0, 1)).filter((word) => {
      const error = filterError(name, word)
      if (error !== undefined) invalid.push(error)
      return error === undefined
    })
    const canonical = canonicalName(name)
    if (valid.length > 0) words[canonical] = [...new Set([...(words[canonical] ?? []), ...valid])]
  }
  for (const name of Object.keys(words) as FilterName[]) {
    const error = filterError(name, words[name] as string[])
    if (error === undefined) continue
    invalid.push(error)
    delete words[name]
  }
  return words
}

/** What is wrong with the words of a filter, in a sentence that names it. */
export function filterError(name: FilterName, word: string | readonly string[]): string | undefined {
  const value = typeof word === 'string' || isList(name) ? word : word[0]
  const [error] = readInput(SearchFilters, { [name]: value }).subErrors ?? []
  return error && fieldErrors([{ field: name, message: error.message }])[name]
}

/** As the schema takes it: one word of a filter that has one. */
const toSchemaInput = (words: FilterWords) =>
  Object.fromEntries(Object.entries(words).map(([name, list]) => [name, isList(name as FilterName) ? list : list[0]]))

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

export const isPageSize = (size: number | undefined): size is number => pageSizes.some((each) => each === size)
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

/** The search of the address, and how to change it; going back in the browser undoes a change. */
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

/** Some proxies refuse longer addresses than 8 KiB on their way; the rest of one has its room too. */
const maxCriteriaLength = 7_500

/** Whether conditions are too long for an address, in which letters beyond Latin are up to nine times as long. */
export const isTooLong = (criteria: string): boolean =>
  new URLSearchParams({ criteria }).toString().length > maxCriteriaLength
