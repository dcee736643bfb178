import { withSearchAddress } from '#client/parts/searched/searchAddress.ts'

/** Part of the URL to save: search and tab, without page, sort order and date. */
export function savedQuery(search: URLSearchParams): string {
  const saved = withSearchAddress(search, { page: 1, size: undefined, sort: undefined })
  saved.delete('policy')
  saved.delete('date')
  return saved.toString()
}

/** A saved query as parameters for links. */
export function searchParamsOf(query: string): Record<string, string[]> {
  const search = new URLSearchParams(query)
  return Object.fromEntries([...new Set(search.keys())].map((name) => [name, search.getAll(name)]))
}
