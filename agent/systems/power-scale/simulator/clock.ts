/** The time of the cluster, in seconds since 1970. It does not move unless `speed` is above 0, the seconds that pass in a real one. */
export class Clock {
  #seconds: number
  #setAtMs = performance.now()
  readonly #speed: number

  constructor({ seconds = 1_735_000_000, speed = 0 }: { seconds?: number; speed?: number } = {}) {
    this.#seconds = seconds
    this.#speed = speed
  }

  now(): number {
    return Math.floor(this.#seconds + ((performance.now() - this.#setAtMs) / 1_000) * this.#speed)
  }

  set(seconds: number): void {
    this.#seconds = seconds
    this.#setAtMs = performance.now()
  }

  advance(seconds: number): void {
    this.#seconds += seconds
  }
}
