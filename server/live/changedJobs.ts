import { setTimeout as pause } from 'node:timers/promises'
import type { JobRow } from '#events/jobs/calls.ts'

/** How long changes are gathered after a reading, and how long is waited after one that failed, in milliseconds. */
const gatherFor = 50
const tryAgainAfter = 1_000

type Words = {
  read(ids: number[]): Promise<JobRow[]>
  /** Takes the rows of all jobs that changed up to a position of the log. */
  take(rows: JobRow[], upTo: number): void
  failed(error: unknown): void
}

/** Reads the rows of jobs that changed, each once however often it changed meanwhile. */
export class ChangedJobs {
  readonly #words: Words
  #ids = new Set<number>()
  #noted = 0
  #told: number | undefined

  constructor(words: Words) {
    this.#words = words
  }

  /** These jobs changed between two positions of the log. */
  note(ids: Iterable<number>, after: number, upTo: number): void {
    for (const id of ids) this.#ids.add(id)
    this.#noted = upTo
    if (this.#told !== undefined || this.#ids.size === 0) return
    this.#told = after
    void this.#readAll()
  }

  /** Up to where all changes were handed over; undefined when none waits. */
  get told(): number | undefined {
    return this.#told
  }

  async #readAll() {
    while (this.#ids.size > 0) await this.#readOnce().catch((error: unknown) => this.#words.failed(error))
    this.#told = undefined
  }

  async #readOnce() {
    const ids = this.#ids
    const upTo = this.#noted
    this.#ids = new Set()
    try {
      this.#words.take(await this.#words.read([...ids]), upTo)
      this.#told = upTo
      await pause(gatherFor)
    } catch (error) {
      this.#ids = new Set([...ids, ...this.#ids])
      await pause(tryAgainAfter)
      throw error
    }
  }
}
