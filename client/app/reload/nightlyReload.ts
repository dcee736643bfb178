import { isReachable } from '../build.ts'
import { isInUse, watchUse } from './pageUse.ts'

const minuteMs = 60_000
/** Pages younger than this are not reloaded, so each page is reloaded once a night. */
const minAgeMs = 120 * minuteMs
const idleMs = 30 * minuteMs

/**
 * Reloads long-running pages between 5 and 6 a.m. local time, once the server can serve them and no one has used them
 * for half an hour. Returns a function that stops it.
 */
export function reloadNightly(reload = () => location.reload()): () => void {
  const stopWatching = watchUse()
  const timer = setInterval(async () => {
    const isDue = new Date().getHours() === 5 && performance.now() >= minAgeMs
    if (isDue && !isInUse(idleMs) && (await isReachable()) && !isInUse(idleMs)) reload()
  }, minuteMs)
  return () => {
    clearInterval(timer)
    stopWatching()
  }
}
