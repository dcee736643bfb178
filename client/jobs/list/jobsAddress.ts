import { useSearchParams } from 'wouter'
import { type JobType, jobTypes } from '#events/jobs/types.ts'
import type { Sort } from '#client/ui/table/column.ts'

/** State of the list in the URL: filter, sort order and page. `id` is the job of the open dialog. */
export type JobsAddress = { id: string | undefined; page: number; sort: Sort; types: readonly JobType[] }

const sortFields = ['id', 'type', 'serverId', 'createdAt', 'startedAt', 'updatedAt', 'status'] as const
const defaultSort: Sort = { field: 'id', direction: 'desc' }

export function readJobsAddress(search: URLSearchParams): JobsAddress {
  const sort = search.get('sort') ?? ''
  const field = sortFields.find((known) => known === sort) ?? defaultSort.field
  const direction = search.get('direction') === 'asc' ? 'asc' : 'desc'
  const page = Math.trunc(Number(search.get('page')))
  return {
    id: search.get('id') ?? undefined,
    page: page >= 1 ? page : 1,
    sort: { field, direction },
    types: search.has('types') ? jobTypes.filter((type) => search.getAll('types').includes(type)) : jobTypes,
  }
}

/** Changes the query and omits defaults. A new order or filter starts at page 1. */
export function withJobsAddress(search: URLSearchParams, change: Partial<JobsAddress>): URLSearchParams {
  const { id, page, sort, types } = {
    ...readJobsAddress(search),
    ...('sort' in change || 'types' in change ? { page: 1 } : {}),
    ...change,
  }
  const next = new URLSearchParams(search)
  for (const name of ['id', 'page', 'sort', 'direction', 'types']) next.delete(name)
  if (id !== undefined) next.set('id', id)
  if (page > 1) next.set('page', String(page))
  if (sort.field !== defaultSort.field || sort.direction !== defaultSort.direction) {
    next.set('sort', sort.field)
    next.set('direction', sort.direction)
  }
  if (types.length === 0) next.set('types', '')
  if (types.length < jobTypes.length) for (const type of types) next.append('types', type)
  return next
}

/** State of the list in the URL, and a function that changes it and adds a history entry. */
export function useJobsAddress(): [JobsAddress, (change: Partial<JobsAddress>) => void] {
  const [search, setSearch] = useSearchParams()
  return [readJobsAddress(search), (change) => setSearch((params) => withJobsAddress(params, change))]
}
