import type { Answer } from './answers.ts'

/** Changes to the answer of one request. */
type FaultEffect = {
  answer?: Answer
  isDropped?: true
  isLost?: true
  isMalformed?: true
  delayMs?: number
  resetAfterBytes?: number
}

/** The first `skip` matching requests are answered normally, the next `times` have the fault. By default, only the next one. */
export type FaultTimes = number | { times?: number; skip?: number }

type Fault = { call: string | RegExp; effect: FaultEffect; times: number; skip: number }

/**
 * Faults of requests. A call is named by its beginning, with or without the method, such as `file/fsstore` or `POST jobs`; an empty text
 * matches all. A pattern is compared with method and call. A fault ends after its number of times; the properties hold until they are
 * changed.
 */
export class Faults {
  /** Delay of each answer in milliseconds of real time. A function gets method and call. */
  latencyMs: number | ((request: string) => number) = 0
  /** Requests in flight above which others are refused. */
  maxOpen = Infinity
  /** Number of requests that this limit and the rate refused. */
  refused = 0
  #maxPerSecond = Infinity
  #faults: Fault[] = []
  readonly #requestTimes: number[] = []
  readonly #throttled: Answer

  /** `throttled` is the answer to a request above the rate. */
  constructor(throttled: Answer) {
    this.#throttled = throttled
  }

  /** Answers with this status and body, before any work is done. */
  failNext(call: string | RegExp, status: number, body: Answer['body'] = '', times: FaultTimes = 1): void {
    this.#add(call, { answer: { status, body } }, times)
  }

  /** Does nothing, and closes the connection. */
  dropRequest(call: string | RegExp, times: FaultTimes = 1): void {
    this.#add(call, { isDropped: true }, times)
  }

  /** Does the work, then closes the connection without an answer. */
  loseAnswer(call: string | RegExp, times: FaultTimes = 1): void {
    this.#add(call, { isLost: true }, times)
  }

  /** Does the work, then sends only the first half of the body, as if it were complete. */
  malformNext(call: string | RegExp, times: FaultTimes = 1): void {
    this.#add(call, { isMalformed: true }, times)
  }

  /** Does the work, then closes the connection after this number of bytes of the body. */
  resetNext(call: string | RegExp, afterBytes: number, times: FaultTimes = 1): void {
    this.#add(call, { resetAfterBytes: afterBytes }, times)
  }

  /** Waits this number of milliseconds of real time before the work. */
  delayNext(call: string | RegExp, delayMs: number, times: FaultTimes = 1): void {
    this.#add(call, { delayMs }, times)
  }

  /** Refuses requests above this number in a second. */
  throttle(requestsPerSecond: number): void {
    this.#maxPerSecond = requestsPerSecond
  }

  /** Ends all faults. */
  clear(): void {
    this.#faults = []
    this.latencyMs = 0
    this.#maxPerSecond = Infinity
    this.maxOpen = Infinity
  }

  /** Returns the effects on a request, one of `open` in flight, and counts them as used. Faults of one kind are used one after another. */
  take(method: string, call: string, open: number): FaultEffect {
    const request = `${method} ${call}`
    const effect: FaultEffect = {
      delayMs: typeof this.latencyMs === 'number' ? this.latencyMs : this.latencyMs(request),
    }
    if (open > this.maxOpen || this.#isTooFast()) {
      this.refused++
      return { ...effect, answer: this.#throttled }
    }
    const used = new Set<string>()
    for (const fault of this.#faults) {
      const [kind = ''] = Object.keys(fault.effect)
      if (!isMatch(fault.call, request) || fault.skip-- > 0 || used.has(kind)) continue
      used.add(kind)
      fault.times--
      Object.assign(effect, fault.effect)
    }
    this.#faults = this.#faults.filter(({ times }) => times > 0)
    return effect
  }

  #isTooFast(): boolean {
    const now = performance.now()
    while (this.#requestTimes[0] !== undefined && this.#requestTimes[0] < now - 1_000) this.#requestTimes.shift()
    return this.#requestTimes.push(now) > this.#maxPerSecond
  }

  #add(call: string | RegExp, effect: FaultEffect, times: FaultTimes): void {
    const range = typeof times === 'number' ? { times } : times
    this.#faults.push({ call, effect, times: 1, skip: 0, ...range })
  }
}

function isMatch(name: string | RegExp, request: string): boolean {
  if (typeof name !== 'string') return name.test(request)
  return request.startsWith(name) || request.slice(request.indexOf(' ') + 1).startsWith(name)
}
