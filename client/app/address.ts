import { navigate, useSearch } from 'wouter/use-browser-location'

/**
 * The query of the address, to the letter, and how to change it. The router's own hooks decode it once too often, which turns
 * a name such as `100%25.txt` into another.
 */
export function useQuery(): [
  URLSearchParams,
  (change: (query: URLSearchParams) => void, options?: { replace?: boolean }) => void,
] {
  const change = (change: (query: URLSearchParams) => void, options?: { replace?: boolean }) => {
    const query = new URLSearchParams(location.search)
    change(query)
    navigate(location.pathname + (query.size > 0 ? `?${query}` : ''), options)
  }
  return [new URLSearchParams(useSearch()), change]
}
