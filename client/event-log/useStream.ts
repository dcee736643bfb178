import type { LoggedEvent } from '#events/event-log/calls.ts'
import { type Source, useSource } from './source.ts'
import { useSourceQuery } from './useSourceQuery.ts'

const size = 1_000

/** All events of a stream up to a position, ascending. */
export function useStream(stream: string | undefined, upTo?: number) {
  const source = useSource()
  const key = stream === undefined ? undefined : `${source.name} ${stream} ${upTo ?? ''}`
  return useSourceQuery(key, (signal) => readStream(source, stream ?? '', upTo, signal))
}

async function readStream(source: Source, stream: string, upTo: number | undefined, signal: AbortSignal) {
  const events: LoggedEvent[] = []
  const before = upTo === undefined ? undefined : upTo + 1
  for (let after = 0; ;) {
    const query = { stream, type: [], direction: 'asc' as const, size, after, before }
    const { elements, next } = await source.list(query, signal)
    events.push(...elements)
    if (next === null) return events
    after = next
  }
}
