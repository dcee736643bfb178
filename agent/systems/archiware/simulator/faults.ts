import { type Answer, refusal } from './answers.ts'

/** Faults of single calls. A call is named by its beginning, such as `POST archive/plans`; an empty text names all. */
type Faults = {
  /** The next calls get this answer, and do nothing. */
  failNext(call: string, status: number, body?: string | object, times?: number): void
  /** The next call does its work, and its connection is closed instead of an answer. */
  loseAnswer(call: string): void
  /** The next call does nothing, and its connection is closed. */
  dropRequest(call: string): void
  /** Calls beyond this number within a second get 503. */
  throttle(callsPerSecond: number): void
}

export function newFaults() {
  const failures: { call: string; answer: Answer; times: number }[] = []
  const lost: string[] = []
  const dropped: string[] = []
  const times: number[] = []
  let maxPerSecond = Infinity
  const faults: Faults = {
    failNext: (call, status, body = '', times = 1) => void failures.push({ call, answer: { status, body }, times }),
    loseAnswer: (call) => void lost.push(call),
    dropRequest: (call) => void dropped.push(call),
    throttle: (callsPerSecond) => void (maxPerSecond = callsPerSecond),
  }
  const isThrottled = () => {
    const now = performance.now()
    while (times[0] !== undefined && times[0] < now - 1_000) times.shift()
    return times.push(now) > maxPerSecond
  }
  return {
    faults,
    /** Answer of a fault instead of the call's own. */
    failureOf(call: string): Answer | undefined {
      if (isThrottled()) return refusal(503, 'Too many requests.')
      const failure = failures.find((failure) => failure.times > 0 && call.startsWith(failure.call))
      if (failure) failure.times--
      return failure?.answer
    },
    losesAnswerOf: (call: string): boolean => take(lost, call),
    dropsRequestOf: (call: string): boolean => take(dropped, call),
  }
}

/** True for a call that is in a list, once for each time it is there. */
function take(names: string[], call: string): boolean {
  const at = names.findIndex((name) => call.startsWith(name))
  if (at >= 0) names.splice(at, 1)
  return at >= 0
}
