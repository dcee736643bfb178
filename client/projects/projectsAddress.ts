import { useQuery } from '#client/app/address.ts'
import type { Sort } from '#client/ui/table/column.ts'

/** State of the list in the URL: filter, sort order and page. */
export type ProjectsAddress = { filter: string; page: number; sort: Sort }

const sortFields = [
  'name',
  'description',
  'sizeOfFiles',
  'allocatedSize',
  'numberOfFiles',
  'lastModifiedDate',
  'lastAccessDate',
] as const
const defaultSort: Sort = { field: 'name', direction: 'asc' }

export function readProjectsAddress(query: URLSearchParams): ProjectsAddress {
  const field = sortFields.find((known) => known === query.get('sort')) ?? defaultSort.field
  const page = Math.trunc(Number(query.get('page')))
  return {
    filter: query.get('filter') ?? '',
    page: page >= 1 ? page : 1,
    sort: { field, direction: query.get('direction') === 'desc' ? 'desc' : 'asc' },
  }
}

/** Changes the query and omits defaults. A new order or filter starts at page 1. */
export function writeProjectsAddress(query: URLSearchParams, change: Partial<ProjectsAddress>): void {
  const { filter, page, sort } = { ...readProjectsAddress(query), page: 1, ...change }
  for (const name of ['filter', 'page', 'sort', 'direction']) query.delete(name)
  if (filter !== '') query.set('filter', filter)
  if (page > 1) query.set('page', String(page))
  if (sort.field !== defaultSort.field || sort.direction !== defaultSort.direction) {
    query.set('sort', sort.field)
    query.set('direction', sort.direction)
  }
}

/** State of the list in the URL, and a function to change it. */
export function useProjectsAddress(): [
  ProjectsAddress,
  (change: Partial<ProjectsAddress>, options?: { replace?: boolean }) => void,
] {
  const [query, changeQuery] = useQuery()
  return [
    readProjectsAddress(query),
    (change, options) => changeQuery((query) => writeProjectsAddress(query, change), options),
  ]
}
