import { useEffect, useEffectEvent, useState } from 'react'
import type { LoggedEvent } from '#events/event-log/calls.ts'
import { isFailure } from '#client/event-log/eventSentence.ts'

/** How many times faster than it happened. */
export const speeds = [1, 10, 100, 1_000] as const
export type Speed = (typeof speeds)[number]

/** Events that follow each other more quickly are shown together. Milliseconds. */
const minFrameMs = 40
/** A longer pause is cut to this, so that a night without events is no night before the screen. Milliseconds. */
const maxWaitMs = 3_000

/** Which event is shown next while playing and after what wait; undefined at the end. `moments` in milliseconds. */
export function nextStep(
  moments: readonly number[],
  index: number,
  speed: Speed,
): { index: number; wait: number } | undefined {
  if (index >= moments.length - 1) return undefined
  const gapAfter = (at: number) => Math.max(0, (moments[at + 1] ?? 0) - (moments[at] ?? 0)) / speed
  const wait = Math.min(maxWaitMs, gapAfter(index))
  let next = index + 1
  for (let gone = gapAfter(next); gone < minFrameMs && next < moments.length - 1; gone += gapAfter(next)) next += 1
  return { index: next, wait: Math.max(minFrameMs, wait) }
}

/** Where one is among the events of a stream, and all that a player can do. `go` moves to the event of a number. */
export function usePlayer(events: readonly LoggedEvent[], index: number, go: (index: number) => void) {
  const [isPlaying, play] = useState(false)
  const [speed, setSpeed] = useState<Speed>(10)
  const last = events.length - 1
  const moments = events.map(({ at }) => Date.parse(at))
  const step = isPlaying ? nextStep(moments, index, speed) : undefined
  const goOn = useEffectEvent((to: number) => {
    go(to)
    if (to >= last) play(false)
  })
  const to = step?.index
  const wait = step?.wait
  useEffect(() => {
    if (to === undefined) return undefined
    const timer = setTimeout(() => goOn(to), wait)
    return () => clearTimeout(timer)
  }, [to, wait])

  const moveTo = (to: number) => {
    play(false)
    if (to >= 0 && to <= last && to !== index) go(to)
  }
  return {
    isPlaying: isPlaying && index < last,
    speed,
    setSpeed,
    toStart: () => moveTo(0),
    back: () => moveTo(index - 1),
    forward: () => moveTo(index + 1),
    toEnd: () => moveTo(last),
    previousFailure: () => moveTo(events.findLastIndex((event, at) => at < index && isFailure(event))),
    nextFailure: () => moveTo(events.findIndex((event, at) => at > index && isFailure(event))),
    toggle: () => {
      if (!isPlaying && index >= last) go(0)
      play(!isPlaying || index >= last)
    },
  }
}

export type Player = ReturnType<typeof usePlayer>
