import { useSearchParams } from 'wouter'
import { isDay } from '#events/contract/days.ts'
import { type JobStatus, jobStatuses } from '#events/jobs/events.ts'
import { type JobType, jobTypes } from '#events/jobs/types.ts'
import type { Sort } from '#client/ui/table/column.ts'

/** Periods before now, in hours. They stay relative in the URL. */
export const periods = { '1h': 1, '24h': 24, '7d': 7 * 24, '30d': 30 * 24 } as const
export type Period = keyof typeof periods

/** Filters of the list. `agents` is undefined for all. `from` and `to` are days, and apply without a period. */
export type JobsFilter = {
  types: readonly JobType[]
  statuses: readonly JobStatus[]
  agents: readonly number[] | undefined
  period: Period | undefined
  from: string | undefined
  to: string | undefined
}

/** State of the list in the URL: filters, sort order and page. `id` is the job of the open dialog. */
export type JobsAddress = JobsFilter & { id: string | undefined; page: number; sort: Sort }

const sortFields = ['id', 'type', 'serverId', 'createdAt', 'startedAt', 'updatedAt', 'status'] as const
const defaultSort: Sort = { field: 'id', direction: 'desc' }

/** The list without filters. */
export const noFilter: JobsFilter = {
  types: jobTypes,
  statuses: jobStatuses,
  agents: undefined,
  period: undefined,
  from: undefined,
  to: undefined,
}

export const isFiltered = ({ types, statuses, agents, period, from, to }: JobsFilter): boolean =>
  types.length < jobTypes.length ||
  statuses.length < jobStatuses.length ||
  [agents, period, from, to].some((value) => value !== undefined)

/** Words of a list in the URL; an absent one is the whole list. */
const readWords = <W extends string>(search: URLSearchParams, name: string, words: readonly W[]): readonly W[] =>
  search.has(name) ? words.filter((word) => search.getAll(name).includes(word)) : words

function readFilter(search: URLSearchParams): JobsFilter {
  const agents = search.getAll('agents').filter((word) => word !== '')
  const day = (name: string) => {
    const text = search.get(name)
    return isDay(text) ? text : undefined
  }
  const period = (Object.keys(periods) as Period[]).find((known) => known === search.get('time'))
  return {
    types: readWords(search, 'types', jobTypes),
    statuses: readWords(search, 'statuses', jobStatuses),
    agents: search.has('agents') ? agents.map(Number).filter(Number.isSafeInteger) : undefined,
    period,
    from: period ? undefined : day('from'),
    to: period ? undefined : day('to'),
  }
}

export function readJobsAddress(search: URLSearchParams): JobsAddress {
  const sort = search.get('sort') ?? ''
  const field = sortFields.find((known) => known === sort) ?? defaultSort.field
  const direction = search.get('direction') === 'asc' ? 'asc' : 'desc'
  const page = Math.trunc(Number(search.get('page')))
  return {
    id: search.get('id') ?? undefined,
    page: page >= 1 ? page : 1,
    sort: { field, direction },
    ...readFilter(search),
  }
}

const names = ['id', 'page', 'sort', 'direction', 'types', 'statuses', 'agents', 'time', 'from', 'to']

/** Writes a list; the whole one is omitted, an empty one is an empty word. */
function writeWords(search: URLSearchParams, name: string, words: readonly (string | number)[], isAll: boolean): void {
  if (isAll) return
  for (const word of words.length === 0 ? [''] : words) search.append(name, String(word))
}

function writeFilter(search: URLSearchParams, { types, statuses, agents, period, from, to }: JobsFilter): void {
  writeWords(search, 'types', types, types.length === jobTypes.length)
  writeWords(search, 'statuses', statuses, statuses.length === jobStatuses.length)
  writeWords(search, 'agents', agents ?? [], agents === undefined)
  if (period) search.set('time', period)
  if (from) search.set('from', from)
  if (to) search.set('to', to)
}

/** Changes the query and omits defaults. A new order or filter starts at page 1. */
export function withJobsAddress(search: URLSearchParams, change: Partial<JobsAddress>): URLSearchParams {
  const isOtherList = Object.keys(change).some((name) => name !== 'id' && name !== 'page')
  const address = { ...readJobsAddress(search), ...(isOtherList && { page: 1 }), ...change }
  const { id, page, sort } = address
  const next = new URLSearchParams(search)
  for (const name of names) next.delete(name)
  if (id !== undefined) next.set('id', id)
  if (page > 1) next.set('page', String(page))
  if (sort.field !== defaultSort.field || sort.direction !== defaultSort.direction) {
    next.set('sort', sort.field)
    next.set('direction', sort.direction)
  }
  writeFilter(next, address)
  return next
}

/** State of the list in the URL, and a function that changes it and adds a history entry. */
export function useJobsAddress(): [JobsAddress, (change: Partial<JobsAddress>) => void] {
  const [search, setSearch] = useSearchParams()
  return [readJobsAddress(search), (change) => setSearch((params) => withJobsAddress(params, change))]
}
