import { withSearchAddress } from '#client/search/searchAddress.ts'

/** The part of an address that is saved: the search and its tab, without page, order and date. */
export function savedQuery(search: URLSearchParams): string {
  const saved = withSearchAddress(search, { page: 1, size: undefined, sort: undefined })
  saved.delete('date')
  return saved.toString()
}

/** A saved query as links take it. */
export function searchParamsOf(query: string): Record<string, string[]> {
  const search = new URLSearchParams(query)
  return Object.fromEntries([...new Set(search.keys())].map((name) => [name, search.getAll(name)]))
}
