/** Answer of a simulator: text, or an object that is sent as JSON. */
export type Answer = { status: number; body: string | object; headers?: Record<string, string> }

/** The first `skip` matching requests are answered normally, the next `times` have the fault. By default, only the next one. */
export type FaultTimes = { times?: number; skip?: number }

/** Changes to the answer of one request. */
export type FaultEffect = {
  answer?: Answer
  isLost?: true
  isMalformed?: true
  delayMs?: number
  resetAfterBytes?: number
}

type Fault = FaultTimes & { call: string; effect: FaultEffect }

/**
 * Faults of requests. A call is named by its beginning, with or without the method, such as `file/fsstore` or `POST jobs`; an empty text
 * matches all. `latencyMs`, `resetAfterBytes` and the rate stay until they are changed.
 */
export class Faults {
  /** Delay of each answer in milliseconds of real time. */
  latencyMs = 0
  /** Connections are cut after this number of bytes of each body. */
  resetAfterBytes: number | undefined
  #faults: Required<Fault>[] = []
  #maxPerSecond = Infinity
  readonly #requestTimes: number[] = []
  readonly #throttled: Answer

  /** `throttled` is the answer to a request above the rate. */
  constructor(throttled: Answer) {
    this.#throttled = throttled
  }

  /** Answers with this status and body, before any work is done. */
  failNext(call: string, status: number, body: string | object = '', times: FaultTimes = {}): void {
    this.#add(call, { answer: { status, body } }, times)
  }

  /** Does the work, then closes the connection without an answer. */
  loseAnswer(call: string, times: FaultTimes = {}): void {
    this.#add(call, { isLost: true }, times)
  }

  /** Does the work, then sends only the first half of the body, as if it were complete. */
  malformNext(call: string, times: FaultTimes = {}): void {
    this.#add(call, { isMalformed: true }, times)
  }

  /** Does the work, then closes the connection after this number of bytes of the body. */
  resetNext(call: string, afterBytes: number, times: FaultTimes = {}): void {
    this.#add(call, { resetAfterBytes: afterBytes }, times)
  }

  /** Waits this number of milliseconds of real time before the work. */
  delayNext(call: string, delayMs: number, times: FaultTimes = {}): void {
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
    this.resetAfterBytes = undefined
    this.#maxPerSecond = Infinity
  }

  /** Returns the effects on a request, and counts them as used. */
  take(method: string, path: string): FaultEffect {
    if (this.#isThrottled()) return { answer: this.#throttled }
    const effect: FaultEffect = { delayMs: this.latencyMs }
    if (this.resetAfterBytes !== undefined) effect.resetAfterBytes = this.resetAfterBytes
    for (const fault of this.#faults) {
      if (!path.startsWith(fault.call) && !`${method} ${path}`.startsWith(fault.call)) continue
      if (fault.skip-- > 0) continue
      fault.times--
      Object.assign(effect, fault.effect)
    }
    this.#faults = this.#faults.filter(({ times }) => times > 0)
    return effect
  }

  #isThrottled(): boolean {
    const now = performance.now()
    while (this.#requestTimes[0] !== undefined && this.#requestTimes[0] < now - 1_000) this.#requestTimes.shift()
    return this.#requestTimes.push(now) > this.#maxPerSecond
  }

  #add(call: string, effect: FaultEffect, { times = 1, skip = 0 }: FaultTimes): void {
    this.#faults.push({ call, effect, times, skip })
  }
}
