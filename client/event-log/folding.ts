import type { LoggedEvent } from '#events/event-log.ts'
import { evolveStream, nothing } from '#events/replay.ts'

/** A state is kept at each of so many events, so that going back folds no more than these. */
const keptEvery = 100

/** The states of one stream, by the number of its events: stepping to the next folds one event. */
export function foldingOf(events: readonly LoggedEvent[]): (count: number) => unknown {
  const kept: unknown[] = [nothing]
  let last = { count: 0, state: nothing as unknown }
  return (count) => {
    const nearest = Math.min(Math.floor(count / keptEvery), kept.length - 1) * keptEvery
    let { count: at, state } =
      last.count <= count && last.count >= nearest ? last : { count: nearest, state: kept[nearest / keptEvery] }
    for (const event of events.slice(at, count)) {
      state = evolveStream(state, event)
      at += 1
      if (at % keptEvery === 0) kept[at / keptEvery] ??= state
    }
    last = { count: at, state }
    return state
  }
}
