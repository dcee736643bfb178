/** Milliseconds that a limit is measured for at least, and the times that each request is answered in it. */
const windowMs = 100
const answersOfEach = 4
/** Factors of a trial: while the limit has only ever grown, later, and downwards. */
const firstGrowth = 2
const growth = 1.15
const backOff = 0.75
/** Part of a change of the limit that must show in the rate. */
const neededEffect = 0.3
/** Windows between trials of a limit that neither way improves. */
const windowsOfRest = 10

type Options = {
  /** Requests in flight at the start. */
  start: number
  /** The most that may be in flight now; it may change at any time. */
  max: () => number
}
/** Answers per millisecond at a limit. */
type Measured = { rate: number; limit: number }

/**
 * Number of requests to one server that are in flight at once. It grows while that gains answers per second, and shrinks while that costs
 * none: then they only wait for each other. An overloaded server gets half (multiplicative decrease, as in RFC 5681).
 */
export function newConcurrency({ start, max }: Options) {
  let limit = start
  let latencyMs = 0
  let window = newWindow(0)
  let isStart = true
  let rest = 0
  let loweredMs = -Infinity
  let trial: 'up' | 'down' | undefined
  /** The best so far, which a trial is compared with. */
  let best: Measured | undefined

  const limitNow = () => Math.max(1, Math.min(Math.floor(limit), max()))
  const set = (wanted: number) => {
    limit = Math.max(1, Math.min(wanted, max()))
  }
  const tryUp = () => {
    trial = 'up'
    set(Math.max(limit + 1, limit * (isStart ? firstGrowth : growth)))
  }
  const tryDown = () => {
    trial = 'down'
    set(Math.min(limit - 1, limit * backOff))
  }
  const judge = (now: Measured) => {
    const last = best
    if (!trial || !last || now.limit === last.limit) {
      best = now
      if (rest-- <= 0) tryUp()
      return
    }
    const needed = (now.limit / last.limit - 1) * neededEffect
    if (now.rate / last.rate - 1 >= needed) {
      best = now
      return trial === 'up' ? tryUp() : tryDown()
    }
    set(last.limit)
    isStart = false
    if (trial === 'up') return tryDown()
    trial = undefined
    rest = windowsOfRest
  }
  return {
    /** Requests that may be in flight now, at least 1. */
    limit: limitNow,
    /** Mean time of the latest answers. */
    latencyMs: () => latencyMs,
    /** A request was answered after `tookMs`; with it, `inFlight` were in flight. */
    answered(tookMs: number, inFlight: number, nowMs: number): void {
      latencyMs = latencyMs === 0 ? tookMs : latencyMs + (tookMs - latencyMs) / 64
      const allowed = limitNow()
      if (window.answers === 0) window.startMs = nowMs - tookMs
      window.answers++
      if (inFlight >= allowed) window.full++
      const elapsedMs = nowMs - window.startMs
      if (elapsedMs < windowMs || window.answers < answersOfEach * allowed) return
      const { answers, full } = window
      window = newWindow(nowMs)
      // A limit that was not reached says nothing.
      if (full * 2 > answers) judge({ rate: answers / elapsedMs, limit: allowed })
    },
    /** The server refused requests, or failed under the load. */
    overloaded(nowMs: number): void {
      // Requests that were sent before it was lowered may fail for the same reason.
      if (nowMs - loweredMs < Math.max(latencyMs, windowMs / 2)) return
      loweredMs = nowMs
      isStart = false
      rest = windowsOfRest
      trial = best = undefined
      set(limit / 2)
      window = newWindow(nowMs)
    },
  }
}
export type Concurrency = ReturnType<typeof newConcurrency>

const newWindow = (startMs: number) => ({ startMs, answers: 0, full: 0 })
