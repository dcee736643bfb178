import { navigate, useSearch } from 'wouter/use-browser-location'

/**
 * Query of the URL, and a function to change it. The router's hooks decode the query twice, which breaks names such as
 * `100%25.txt`.
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
