/** Milliseconds that a limit is measured for at least, and the times that each request is answered in it. */
const windowMs = 50
const answersOfEach = 3
/** Factors of a trial: while the limit has only ever grown, later, and downwards. */
const firstGrowth = 2
const growth = 1.4
const backOff = 0.75
/** Part of a change of the limit that must show in the rate. */
const neededEffect = 0.3
/** Latency up to which no request waits for another, as a multiple of the lowest, which grows by a factor in each window: it may change. */
const unhurried = 1.2
const drift = 1.005
/** Windows between trials of a limit that neither way improves. */
const windowsOfRest = 10

type Options = {
  /** Requests in flight at the start. */
  start: number
  /** The most that may be in flight now; it may change at any time. */
  max: () => number
}
/** Answers per millisecond at a limit, and milliseconds until an answer. */
type Measured = { rate: number; latencyMs: number; limit: number }

/**
 * Number of requests to one server that are in flight at once. It grows while requests are answered as fast as ever, or more of them per
 * second; it shrinks while that costs nothing: then they only wait for each other. An overloaded server gets half. Compare RFC 5681
 * (multiplicative decrease) and TCP Vegas (the lowest latency).
 */
export function newConcurrency({ start, max }: Options) {
  let limit = start
  let latencyMs = 0
  let window = newWindow(0)
  const limitNow = () => Math.max(1, Math.min(Math.floor(limit), max()))
  const search = newSearch((wanted) => {
    limit = Math.max(1, Math.min(wanted, max()))
  })
  return {
    /** Requests that may be in flight now, at least 1. */
    limit: limitNow,
    /** Mean time of the latest answers. */
    latencyMs: () => latencyMs,
    /** A request was answered after `tookMs`; with it, `inFlight` were in flight. */
    answered(tookMs: number, inFlight: number, nowMs: number): void {
      latencyMs = latencyMs === 0 ? tookMs : latencyMs + (tookMs - latencyMs) / 64
      const allowed = limitNow()
      window.most = Math.max(window.most, inFlight)
      // It was sent under another limit.
      if (nowMs - tookMs < window.startMs) return
      window.answers++
      window.tookMs += tookMs
      const { answers, startMs, most } = window
      if (nowMs - startMs < windowMs || answers < answersOfEach * allowed) return
      const meanMs = window.tookMs / answers
      window = newWindow(nowMs)
      // A limit that was not reached says nothing. The first answers came after one latency.
      if (most < allowed) return
      const rate = answers / Math.max(nowMs - startMs - meanMs, 0.01)
      search.next({ rate, latencyMs: meanMs, limit: allowed })
    },
    /** The server refused requests, or failed under the load. */
    overloaded(nowMs: number): void {
      if (window.wasLowered && nowMs - window.startMs < Math.max(latencyMs, windowMs)) return
      search.lowered()
      limit = Math.max(1, Math.min(limit / 2, max()))
      window = { ...newWindow(nowMs), wasLowered: true }
    },
  }
}
export type Concurrency = ReturnType<typeof newConcurrency>

const newWindow = (startMs: number) => ({ startMs, answers: 0, tookMs: 0, most: 0, wasLowered: false })

/** Searches for the limit by trials: each is compared with the limit before it, and taken back if that was better. */
function newSearch(set: (limit: number) => void) {
  let lowestMs = Infinity
  let isStart = true
  let rest = 0
  let trial: 'up' | 'down' | undefined
  let next: 'up' | 'down' = 'up'
  /** The limit that a trial is compared with. */
  let base: Measured | undefined

  const tryOut = (way: 'up' | 'down', from: Measured) => {
    base = from
    trial = way
    if (way === 'down') set(Math.min(from.limit - 1, from.limit * backOff))
    else set(Math.max(from.limit + 1, from.limit * (isStart ? firstGrowth : growth)))
  }
  const takeBack = (before: Measured) => {
    isStart = false
    next = trial === 'up' ? 'down' : 'up'
    rest = trial === 'up' ? 0 : windowsOfRest
    trial = undefined
    set(before.limit)
  }
  return {
    next(now: Measured): void {
      lowestMs = Math.min(lowestMs * drift, now.latencyMs)
      const isUnhurried = now.latencyMs <= lowestMs * unhurried
      if (!trial || !base) {
        if (rest-- > 0) return
        if (next === 'up' || !isUnhurried) return tryOut(next, now)
        next = 'up'
        rest = windowsOfRest
        return
      }
      if (trial === 'up' ? isUnhurried || isBetter(now, base) : isBetter(now, base)) tryOut(trial, now)
      else takeBack(base)
    },
    lowered(): void {
      isStart = false
      rest = windowsOfRest
      trial = undefined
      next = 'up'
    },
  }
}

const isBetter = (now: Measured, than: Measured): boolean =>
  now.rate / than.rate - 1 >= (now.limit / than.limit - 1) * neededEffect
