import { useEffect, useEffectEvent } from 'react'
import { incidents, type Incident } from '#events/schedules/incidents.ts'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { useRemote } from './remote.ts'

/** Longest delay of a timer, in milliseconds. */
const maxDelayMs = 2 ** 31 - 1

/**
 * Incidents of the user's alerts, updated live and when a mute ends. `loud` is the number without muted ones, undefined until
 * loaded.
 */
export function useFiring(): { firing: Loadable<Incident[]>; loud: number | undefined } {
  const firing = useRemote(incidents.firing, {}, 'schedules')
  const ends = firing.data?.flatMap(({ mute }) => mute?.until ?? []) ?? []
  const [next] = ends.toSorted()
  const retry = useEffectEvent(firing.retry)
  useEffect(() => {
    if (next === undefined) return undefined
    const timer = setTimeout(() => retry(), Math.min(maxDelayMs, Math.max(1_000, Date.parse(next) - Date.now())))
    return () => clearTimeout(timer)
  }, [next])
  return { firing, loud: firing.data?.filter(({ mute }) => mute === null).length }
}
