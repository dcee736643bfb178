import { setTimeout as wait } from 'node:timers/promises'

/** Limits of a simulated store; all are infinite by default. */
export type LoadLimits = {
  /** Requests that are answered side by side; others wait for them. */
  answersAtOnce?: number
  /** Requests in flight above which others are refused as too many. */
  busyAbove?: number
  /** Requests in flight above which the connections of others are closed. */
  cutsAbove?: number
}

/** Counts the requests in flight to a simulated store, and delays or refuses them above its limits. */
export class Load {
  /** Largest number of requests in flight so far, and number of those that were refused or cut. */
  max = 0
  refused = 0
  readonly #limits: LoadLimits
  #open = 0
  #served = 0
  readonly #waiting: (() => void)[] = []

  constructor(limits: LoadLimits) {
    this.#limits = limits
  }

  /** Answers a request through `serve`, which gets the way in which the load of the store changes the answer. */
  async take(answerMs: number, serve: (outcome: 'answered' | 'busy' | 'cut') => void): Promise<void> {
    this.max = Math.max(this.max, ++this.#open)
    try {
      const outcome = this.#outcome()
      if (outcome === 'answered') await this.#work(answerMs)
      else this.refused++
      serve(outcome)
    } finally {
      this.#open--
    }
  }

  #outcome() {
    const { busyAbove = Infinity, cutsAbove = Infinity } = this.#limits
    if (this.#open > cutsAbove) return 'cut'
    return this.#open > busyAbove ? 'busy' : 'answered'
  }

  async #work(answerMs: number): Promise<void> {
    const { answersAtOnce = Infinity } = this.#limits
    while (this.#served >= answersAtOnce) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#served++
    if (answerMs > 0) await wait(answerMs)
    this.#served--
    this.#waiting.shift()?.()
  }
}
