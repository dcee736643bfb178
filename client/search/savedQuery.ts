import { withSearchAddress } from './searchAddress.ts'

/** What is kept of an address: the question and its side, not where one is in the list, nor on which day. */
export function savedQuery(search: URLSearchParams): string {
  const kept = withSearchAddress(search, { page: 1, size: undefined, sort: undefined })
  kept.delete('date')
  return kept.toString()
}

/** What was kept, as links take it. */
export function wordsOfQuery(query: string): Record<string, string[]> {
  const search = new URLSearchParams(query)
  return Object.fromEntries([...new Set(search.keys())].map((name) => [name, search.getAll(name)]))
}
