import type { Call, Endpoint } from '#events/contract/endpoint.ts'
import type { SearchInput } from '#events/search/searched.ts'
import { criteriaOfFiles } from '#client/parts/query-builder/criteria.ts'

/** A search in a snapshot; without date, in the newest. */
export type SearchAtDate = { searched: SearchInput; indexingDate: string | undefined }

/** An endpoint with its input. */
type Request<E extends Endpoint> = readonly [endpoint: E, input: Call<E>]

/** The request of a search by filters, or its counterpart for conditions, which has the same response. */
export function requestOf<E extends Endpoint>(
  { searched, indexingDate }: SearchAtDate,
  byFilters: E,
  byCriteria: Endpoint,
  query: Record<string, unknown> = {},
): Request<E> {
  if ('filters' in searched)
    return [byFilters, { query: { ...searched.filters, ...query, indexingDate } } as unknown as Call<E>]
  const body = criteriaOfFiles(searched.criteria)
  return [byCriteria as E, { query: { ...query, indexingDate }, body } as unknown as Call<E>]
}

/** Topics whose events change the response. */
export const topics = ['snapshots', 'tags'] as const
