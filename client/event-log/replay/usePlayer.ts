import { useEffect, useEffectEvent, useState } from 'react'
import type { LoggedEvent } from '#events/event-log/calls.ts'
import { isFailure } from '#events/event-log/eventSentence.ts'

/** Playback speeds, relative to real time. */
export const speeds = [1, 10, 100, 1_000] as const
export type Speed = (typeof speeds)[number]

/** Events closer together are shown as one frame. Milliseconds. */
const minFrameMs = 40
/** Longer pauses are cut to this. Milliseconds. */
const maxWaitMs = 3_000

/** Next event to show during playback and the delay before it; undefined at the end. `moments` are in milliseconds. */
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

/** Position in the events of a stream and the player's actions. `go` moves to an index. */
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
