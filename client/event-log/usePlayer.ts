import { useEffect, useEffectEvent, useState } from 'react'
import type { LoggedEvent } from '#events/event-log.ts'
import { isFailure } from './eventSentence.ts'
import { type Speed, nextStep } from './player.ts'

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
