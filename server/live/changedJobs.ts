import { setTimeout as pause } from 'node:timers/promises'
import type { JobRow } from '#events/jobs/calls.ts'

/** Milliseconds that changes are gathered after a read, and that pass before a failed one is retried. */
const gatherFor = 50
const tryAgainAfter = 1_000

type Words = {
  read(ids: number[]): Promise<JobRow[]>
  /** Receives the rows of all jobs that changed up to a position of the log. */
  take(rows: JobRow[], upTo: number): void
  failed(error: unknown): void
}

/** Reads the rows of changed jobs, each once for any number of changes in between. */
export class ChangedJobs {
  readonly #words: Words
  #ids = new Set<number>()
  #noted = 0
  #told: number | undefined

  constructor(words: Words) {
    this.#words = words
  }

  /** Notes jobs that changed between two positions of the log. */
  note(ids: Iterable<number>, after: number, upTo: number): void {
    for (const id of ids) this.#ids.add(id)
    this.#noted = upTo
    if (this.#told !== undefined || this.#ids.size === 0) return
    this.#told = after
    void this.#readAll()
  }

  /** The position up to which all changes were passed on; undefined if none is waiting. */
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
