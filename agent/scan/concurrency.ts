/** Milliseconds that a limit is measured for at least, and the times that each request is answered in it. */
const windowMs = 50
const answersOfEach = 3
const maxSamples = 128
/** Factors of a trial: while the limit has only ever grown, later, and downwards. */
const firstGrowth = 2
const growth = 1.4
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
/** The median time until an answer at a limit. It says nothing of moments in which this machine itself was busy. */
type Measured = { latencyMs: number; limit: number }

/**
 * Number of requests to one server that are in flight at once. It grows while that gains answers per second, and shrinks while that costs
 * none: then they only wait for each other. An overloaded server gets half (multiplicative decrease, as in RFC 5681).
 */
export function newConcurrency({ start, max }: Options) {
  let limit = start
  let latencyMs = 0
  let window = newWindow(0)
  const limitNow = () => Math.max(1, Math.min(Math.floor(limit), max()))
  const set = (wanted: number) => {
    limit = Math.max(1, Math.min(wanted, max()))
  }
  const search = newSearch(set)
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
      const every = Math.ceil((answersOfEach * allowed) / maxSamples)
      if (window.answers++ % every === 0 && window.samples.length < maxSamples) window.samples.push(tookMs)
      const { answers, startMs, most, samples } = window
      if (nowMs - startMs < windowMs || answers < answersOfEach * allowed) return
      window = newWindow(nowMs)
      // A limit that was not reached says nothing.
      if (most >= allowed) search.next({ latencyMs: medianOf(samples), limit: allowed })
    },
    /** The server refused requests, or failed under the load. */
    overloaded(nowMs: number): void {
      if (window.wasLowered && nowMs - window.startMs < Math.max(latencyMs, windowMs)) return
      search.lowered()
      set(limit / 2)
      window = { ...newWindow(nowMs), wasLowered: true }
    },
  }
}
export type Concurrency = ReturnType<typeof newConcurrency>

const newWindow = (startMs: number) => ({ startMs, answers: 0, samples: [] as number[], most: 0, wasLowered: false })

const medianOf = (numbers: number[]): number => numbers.sort((a, b) => a - b)[numbers.length >> 1] ?? 0

/** Searches for the limit by trials: each is compared with the limit before it, and taken back if that was better. */
function newSearch(set: (limit: number) => void) {
  let isStart = true
  let rest = 0
  let trial: 'up' | 'down' | undefined
  let next: 'up' | 'down' = 'up'
  /** A trial failed once: more requests at once may also take this machine a moment to get used to. */
  let isDoubted = false
  /** The limit that a trial is compared with. */
  let base: Measured | undefined

  const tryOut = (way: 'up' | 'down', from: Measured) => {
    base = from
    trial = way
    isDoubted = false
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
      if (!trial || !base) return rest-- > 0 ? undefined : tryOut(next, now)
      if (isBetter(now, base)) return tryOut(trial, now)
      if (isDoubted) takeBack(base)
      isDoubted = !isDoubted
    },
    lowered(): void {
      isStart = false
      rest = windowsOfRest
      trial = undefined
      next = 'up'
    },
  }
}

/** Compares the answers per millisecond, which are the requests in flight divided by the time of each (Little's law). */
const isBetter = (now: Measured, than: Measured): boolean =>
  rateOf(now) / rateOf(than) - 1 >= (now.limit / than.limit - 1) * neededEffect
const rateOf = ({ limit, latencyMs }: Measured): number => limit / Math.max(latencyMs, 0.001)
