import { setTimeout as pause } from 'node:timers/promises'
import type { JobRow } from '#events/jobs/calls.ts'

/** Milliseconds that changes are gathered after a read, and that pass before a failed one is retried. */
const batchDelayMs = 50
const retryDelayMs = 1_000

type Deps = {
  read(ids: number[]): Promise<JobRow[]>
  /** Receives the rows of all jobs that changed up to a position of the log. */
  take(rows: JobRow[], upTo: number): void
  failed(error: unknown): void
}

/** Reads the rows of changed jobs, each once for any number of changes in between. */
export class ChangedJobs {
  readonly #deps: Deps
  #ids = new Set<number>()
  #noted = 0
  #position: number | undefined

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Notes jobs that changed between two positions of the log. */
  note(ids: Iterable<number>, after: number, upTo: number): void {
    for (const id of ids) this.#ids.add(id)
    this.#noted = upTo
    if (this.#position !== undefined || this.#ids.size === 0) return
    this.#position = after
    void this.#readAll()
  }

  /** The position up to which all changes were passed on; undefined if none is waiting. */
  get position(): number | undefined {
    return this.#position
  }

  async #readAll() {
    while (this.#ids.size > 0) await this.#readOnce().catch((error: unknown) => this.#deps.failed(error))
    this.#position = undefined
  }

  async #readOnce() {
    const ids = this.#ids
    const upTo = this.#noted
    this.#ids = new Set()
    try {
      this.#deps.take(await this.#deps.read([...ids]), upTo)
      this.#position = upTo
      await pause(batchDelayMs)
    } catch (error) {
      this.#ids = new Set([...ids, ...this.#ids])
      await pause(retryDelayMs)
      throw error
    }
  }
}
