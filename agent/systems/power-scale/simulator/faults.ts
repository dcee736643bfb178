import { type Answer, errorAnswer, json } from './errors.ts'

/** The first `skip` matching requests are answered normally, the next `times` have the fault. By default, only the next one. */
type FaultTimes = { times?: number; skip?: number }

type Fault<R, E> = Required<FaultTimes> & { isMatch: (request: R) => boolean; effect: E }

/** Faults of the next requests `R`, with their effects `E`. A fault ends after its number of times. */
class FaultQueue<R, E extends object> {
  #faults: Fault<R, E>[] = []

  add(isMatch: (request: R) => boolean, effect: E, { times = 1, skip = 0 }: FaultTimes = {}): void {
    this.#faults.push({ isMatch, effect, times, skip })
  }

  /** Returns the effects on a request, and counts them as used. */
  take(request: R): Partial<E> {
    const effect: Partial<E> = {}
    for (const fault of this.#faults) {
      if (!fault.isMatch(request)) continue
      if (fault.skip-- > 0) continue
      fault.times--
      Object.assign(effect, fault.effect)
    }
    this.#faults = this.#faults.filter(({ times }) => times > 0)
    return effect
  }

  clear(): void {
    this.#faults = []
  }
}

type Effect = { answer?: Answer; isLost?: true; resetAfterBytes?: number; delayMs?: number }

/** Faults of the next requests. `match` is compared with a request such as `GET /namespace/ifs/data?limit=1000`. A fault ends after its number of times; `latencyMs`, `throttle` and `busyAbove` hold until they are changed. */
export class Faults {
  /** Delay of every response, in milliseconds. */
  latencyMs = 0
  /** Requests in a second above which the cluster answers with 503. */
  throttle = Infinity
  /** Requests in flight above which the cluster answers others with 503, and the number of these answers. */
  busyAbove = Infinity
  refused = 0
  readonly #queue = new FaultQueue<string, Effect>()
  #second = 0
  #requestsOfSecond = 0

  /** Answers with this status before any work is done. The default body is an error of OneFS. */
  failNext(match: RegExp, status: number, { body, ...times }: { body?: string } & FaultTimes = {}): void {
    const answer = json(status, { errors: [{ code: 'AEC_EXCEPTION', message: 'Internal error' }] })
    this.#add(match, times, { answer: body === undefined ? answer : { ...answer, body } })
  }

  /** Answers with status 200 and the error AEC_TRANSIENT. */
  transientNext(match: RegExp, times: FaultTimes = {}): void {
    this.#add(match, times, { answer: errorAnswer('AEC_TRANSIENT', 'The cluster is busy. Try again.') })
  }

  /** Does the work, then closes the connection without a response. */
  loseAnswer(match: RegExp, times: FaultTimes = {}): void {
    this.#add(match, times, { isLost: true })
  }

  /** Closes the connection after `afterBytes` bytes of the body. */
  resetNext(match: RegExp, afterBytes: number, times: FaultTimes = {}): void {
    this.#add(match, times, { resetAfterBytes: afterBytes })
  }

  slowNext(match: RegExp, delayMs: number, times: FaultTimes = {}): void {
    this.#add(match, times, { delayMs })
  }

  /** Ends all faults. */
  clear(): void {
    this.#queue.clear()
    this.latencyMs = 0
    this.throttle = Infinity
    this.busyAbove = Infinity
  }

  /** Takes the effects on a request, one of `open` in flight. */
  take(request: string, open: number): Effect {
    const effect: Effect = { delayMs: this.latencyMs }
    const isTooMany = open > this.busyAbove
    if (isTooMany) this.refused++
    if (isTooMany || this.#isThrottled())
      return { ...effect, answer: json(503, { errors: [{ message: 'Too many requests' }] }) }
    return Object.assign(effect, this.#queue.take(request))
  }

  #isThrottled(): boolean {
    const second = Math.floor(performance.now() / 1_000)
    if (second !== this.#second) this.#requestsOfSecond = 0
    this.#second = second
    return ++this.#requestsOfSecond > this.throttle
  }

  #add(match: RegExp, times: FaultTimes, effect: Effect): void {
    this.#queue.add((request) => match.test(request), effect, times)
  }
}
