import type { LoggedEvent } from '#events/event-log.ts'
import type { Source } from './source.ts'
import { useSource } from './SourceContext.ts'
import { useAnswer } from './useAnswer.ts'

const size = 1_000

/** All events of a stream, ascending, or those up to a position. */
export function useStream(stream: string | undefined, upTo?: number) {
  const source = useSource()
  const key = stream === undefined ? undefined : `${source.name} ${stream} ${upTo ?? ''}`
  return useAnswer(key, (signal) => readStream(source, stream ?? '', upTo, signal))
}

async function readStream(source: Source, stream: string, upTo: number | undefined, signal: AbortSignal) {
  const events: LoggedEvent[] = []
  const before = upTo === undefined ? undefined : upTo + 1
  for (let after = 0; ;) {
    const asked = { stream, type: [], direction: 'asc' as const, size, after, before }
    const { elements, next } = await source.list(asked, signal)
    events.push(...elements)
    if (next === null) return events
    after = next
  }
}
