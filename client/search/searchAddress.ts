import { WrittenCriteria } from '#events/criteria.ts'
import { type EntrySort, entrySorts } from '#events/entries.ts'
import { readInput } from '#events/input.ts'
import { noFilters, SearchFilters } from '#events/search-filters.ts'
import type { Searched } from '#events/searched.ts'
import { fieldErrors } from '../app/form.ts'
import { pageSizes } from '../parts/pagination/Pagination.tsx'
import type { Sort } from '../ui/column.ts'
import { faultOfCriteria } from './advanced/criteriaOf.ts'
import { type FilterName, type FilterWords, filterNames, isList, keptName } from './filterNames.ts'

/** The sides of the search; the address numbers them. */
const searchTabs = ['files', 'folders', 'analytics'] as const
export type SearchTab = (typeof searchTabs)[number]

export type SearchAddress = {
  /** What is asked for, as calls take it, and as the address says it. */
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
  wrong: string[]
}

export function readSearchAddress(search: URLSearchParams): SearchAddress {
  const wrong: string[] = []
  const words = readWords(search, wrong)
  const read = SearchFilters.safeParse(asGiven(words))
  const number = (name: string) => digits(search, name, wrong)
  const tab = number('activeTab') ?? 0
  const size = number('size')
  if (tab >= searchTabs.length) wrong.push('activeTab must be 0, 1 or 2')
  if (size !== undefined && !isPageSize(size)) wrong.push(`size must be one of ${pageSizes.join(', ')}`)
  return {
    filters: read.data ?? noFilters,
    words,
    criteria: readCriteria(search, wrong),
    tab: searchTabs[tab] ?? 'files',
    page: Math.max(1, number('page') ?? 1),
    size: isPageSize(size) ? size : undefined,
    sort: readSort(search, wrong),
    wrong,
  }
}

/** What an address asks for, as calls take it: its filters, or the conditions in their place. */
export const searchedBy = ({ filters, criteria }: Pick<SearchAddress, 'filters' | 'criteria'>): Searched =>
  criteria === undefined ? { filters } : { criteria: WrittenCriteria.parse(JSON.parse(criteria)) }

type Change = Partial<Pick<SearchAddress, 'words' | 'tab' | 'page' | 'size' | 'sort' | 'criteria'>>

/**
 * The address with some of it changed; filters that are not named stay. Any change begins at the first page, and another
 * list has an order of its own. What the address had to leave out is gone then.
 */
export function withSearchAddress(search: URLSearchParams, { words, ...change }: Change): URLSearchParams {
  const old = readSearchAddress(search)
  const kept = 'tab' in change && change.tab !== old.tab ? { ...old, size: undefined, sort: undefined } : old
  const { tab, page, size, sort, criteria } = { ...kept, page: 1, ...change }
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
function readWords(search: URLSearchParams, wrong: string[]): FilterWords {
  const words: Partial<Record<FilterName, string[]>> = {}
  for (const name of filterNames) {
    const given = search.getAll(name).filter((word) => word !== '')
    const asked = (isList(name) ? given : given.slice(0, 1)).filter((word) => {
      const fault = faultOf(name, word)
      if (fault !== undefined) wrong.push(fault)
      return fault === undefined
    })
    const kept = keptName(name)
    if (asked.length > 0) words[kept] = [...new Set([...(words[kept] ?? []), ...asked])]
  }
  for (const name of Object.keys(words) as FilterName[]) {
    const fault = faultOf(name, words[name] as string[])
    if (fault === undefined) continue
    wrong.push(fault)
    delete words[name]
  }
  return words
}

/** What is wrong with the words of a filter, in a sentence that names it. */
export function faultOf(name: FilterName, word: string | readonly string[]): string | undefined {
  const value = typeof word === 'string' || isList(name) ? word : word[0]
  const [fault] = readInput(SearchFilters, { [name]: value }).subErrors ?? []
  return fault && fieldErrors([{ field: name, message: fault.message }])[name]
}

/** As the schema takes it: one word of a filter that has one. */
const asGiven = (words: FilterWords) =>
  Object.fromEntries(Object.entries(words).map(([name, list]) => [name, isList(name as FilterName) ? list : list[0]]))

function readCriteria(search: URLSearchParams, wrong: string[]): string | undefined {
  const criteria = search.get('criteria')
  if (!criteria) return undefined
  const fault = faultOfCriteria(criteria)
  if (fault === undefined) return criteria
  wrong.push(fault)
  return undefined
}

function digits(search: URLSearchParams, name: string, wrong: string[]): number | undefined {
  const word = search.get(name)
  if (word === null || word === '') return undefined
  if (/^\d{1,9}$/.test(word)) return Number(word)
  wrong.push(`${name} must be a whole number`)
  return undefined
}

export const isPageSize = (size: number | undefined): size is number => pageSizes.some((each) => each === size)
export const isSort = (field: string | null): field is EntrySort => entrySorts.some((sort) => sort === field)

function readSort(search: URLSearchParams, wrong: string[]): Sort | undefined {
  const field = search.get('sort')
  if (!field) return undefined
  const direction = search.get('direction')?.toLowerCase() === 'desc' ? 'desc' : 'asc'
  if (isSort(field)) return { field, direction }
  wrong.push(`sort must be one of ${entrySorts.join(', ')}`)
  return undefined
}
