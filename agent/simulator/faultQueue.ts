/** The first `skip` matching requests are answered normally, the next `times` have the fault. By default, only the next one. */
export type FaultTimes = { times?: number; skip?: number }

type Fault<R, E> = Required<FaultTimes> & { isMatch: (request: R) => boolean; effect: E }

/** Faults of the next requests `R`, with their effects `E`. A fault ends after its number of times. */
export class FaultQueue<R, E extends object> {
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
