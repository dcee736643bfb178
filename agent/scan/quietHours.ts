import { usualLookups } from '#events/contract/pace.ts'
import type { ScanOrder } from '#events/sources/scanOrder.ts'

type OrderedPace = ScanOrder['pace']

/** Time between two looks at the clock. */
const lookEveryMs = 1_000

/** Lookups, or requests, that a scan may have in flight at a moment. Quiet hours that end at their start last all day. */
export function allowedLookups(pace: OrderedPace, now: Date): number {
  if (!pace) return usualLookups
  const { maxLookups, quietHours, timeZone } = pace
  if (!quietHours || !isWithin(timeOfDay(now, timeZone), quietHours)) return maxLookups
  return Math.min(maxLookups, quietHours.maxLookups)
}

/** Same for the current time, without a look at the clock for every call. */
export function newAllowedLookups(pace: OrderedPace): () => number {
  let allowed = 0
  let lookedMs = -Infinity
  return () => {
    const nowMs = performance.now()
    if (nowMs - lookedMs < lookEveryMs) return allowed
    lookedMs = nowMs
    return (allowed = allowedLookups(pace, new Date()))
  }
}

/** An unknown time is always within: an agent that does not know the time zone spares the server. */
function isWithin(time: string | undefined, { from, to }: { from: string; to: string }): boolean {
  if (time === undefined) return true
  return from < to ? from <= time && time < to : from <= time || time < to
}

const clocks = new Map<string, Intl.DateTimeFormat | undefined>()

/** A time such as '07:30'; undefined in a time zone that this machine does not know. */
function timeOfDay(now: Date, timeZone: string): string | undefined {
  if (!clocks.has(timeZone)) clocks.set(timeZone, clockIn(timeZone))
  return clocks.get(timeZone)?.format(now)
}

function clockIn(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
