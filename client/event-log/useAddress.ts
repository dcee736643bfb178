import { useSearchParams } from 'wouter'
import type { EventFilters } from '#events/event-log/calls.ts'

export const modes = ['live', 'browse', 'replay'] as const
export type Mode = (typeof modes)[number]

/** Query parameters of the filters. */
const filterNames = ['stream', 'actor', 'agent', 'text', 'from', 'to'] as const
export type FilterParams = Partial<Record<(typeof filterNames)[number], string>> & { type?: string[] }

export type EventAddress = {
  mode: Mode
  filters: EventFilters
  /** Position of the selected event. */
  event: number | undefined
  show: (mode: Mode, stream?: string) => void
  filter: (change: FilterParams) => void
  clear: () => void
  select: (position: number | undefined) => void
}

/** View of the event log in the URL, so that it can be shared. */
export function useAddress(): EventAddress {
  const [search, setSearch] = useSearchParams()
  const change = (change: (search: URLSearchParams) => void) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before)
        change(after)
        return after
      },
      { replace: true },
    )
  const filter = (change_: FilterParams) =>
    change((search) => {
      search.set('mode', 'browse')
      search.delete('event')
      for (const [name, value] of Object.entries(change_)) {
        search.delete(name)
        for (const one of [value].flat()) if (one) search.append(name, one)
      }
    })
  return {
    mode: modeOf(search),
    filters: filtersOf(search),
    event: numberOf(search.get('event')),
    show: (mode, stream) =>
      change((search) => {
        search.set('mode', mode)
        if (stream !== undefined) search.set('stream', stream)
        if (mode === 'live') for (const name of [...filterNames, 'type', 'event']) search.delete(name)
      }),
    filter,
    clear: () => filter(Object.fromEntries([...filterNames, 'type'].map((name) => [name, '']))),
    select: (position) =>
      change((search) => {
        search.set('mode', modeOf(search))
        if (position === undefined) search.delete('event')
        else search.set('event', String(position))
      }),
  }
}

/** Links with filters or an event open Browse mode by default. */
function modeOf(search: URLSearchParams): Mode {
  const named = modes.find((mode) => mode === search.get('mode'))
  return named ?? ([...filterNames, 'type', 'event'].some((name) => search.has(name)) ? 'browse' : 'live')
}

/** Only numbers are validated here; the server reports other invalid values. */
function filtersOf(search: URLSearchParams): EventFilters {
  const word = (name: string) => search.get(name)?.trim() || undefined
  return {
    stream: word('stream'),
    type: search.getAll('type').filter(Boolean),
    actor: word('actor'),
    agent: numberOf(search.get('agent')),
    text: word('text'),
    from: word('from'),
    to: word('to'),
  }
}

const numberOf = (text: string | null): number | undefined =>
  text && /^\d{1,15}$/.test(text) && Number(text) > 0 ? Number(text) : undefined
