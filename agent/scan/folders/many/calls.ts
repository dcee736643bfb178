import { type Concurrency, newConcurrency } from '../../concurrency.ts'
import type { OpenFolder } from './openFolder.ts'

/** Calls in flight at the start, so that a scan never surprises a server. */
const callsAtStart = 4
/** Tries of a call that fails because the server is in trouble, and milliseconds until the second one; others take longer. */
const maxTries = 4
export const firstRetryMs = 200
const retryGrowth = 3
/** EIO, ETIMEDOUT and ESTALE. */
const troubles: ReadonlySet<number> = new Set([-5, -110, -116])
/** ENFILE and EMFILE: no more files can be open at the same time. */
const shortages: ReadonlySet<number> = new Set([-23, -24])
export const isShortage = (result: number): boolean => shortages.has(result)

/** Counts the calls of open folders, and decides how many there may be: as many as the storage answers without delay. */
export class Calls {
  readonly #concurrency: Concurrency
  #inFlight = 0
  #answeredAtMs = performance.now()

  constructor(max: () => number) {
    this.#concurrency = newConcurrency({ start: callsAtStart, max })
  }

  get hasRoom(): boolean {
    return this.#inFlight < this.#concurrency.limit()
  }

  /** Calls in flight, and how long one takes. */
  pace(): { inFlight: number; latencyMs: number } {
    return { inFlight: this.#inFlight, latencyMs: this.#concurrency.latencyMs() }
  }

  limit(): number {
    return this.#concurrency.limit()
  }

  /** The moment of the last answer. */
  get answeredAtMs(): number {
    return this.#answeredAtMs
  }

  start(folder: OpenFolder): void {
    folder.inFlight++
    this.#inFlight++
  }

  /** A call of a folder has its answer; false if the folder has ended. */
  end(folder: OpenFolder, sentMs: number): boolean {
    const nowMs = performance.now()
    folder.inFlight--
    folder.closeIfIdle()
    this.#answeredAtMs = nowMs
    if (folder.isLost) return false
    this.#concurrency.answered(nowMs - sentMs, this.#inFlight--, nowMs)
    return !folder.isOver
  }

  /** The calls of a folder count as never answered. */
  lose(folder: OpenFolder): void {
    folder.isLost = true
    this.#inFlight -= folder.inFlight
  }

  /** Milliseconds until a failed call may be tried again; undefined if it should not. `tries` were made. */
  retryInMs(result: number, tries: number): number | undefined {
    if (!troubles.has(result)) return undefined
    this.#concurrency.overloaded(performance.now())
    return tries < maxTries ? firstRetryMs * retryGrowth ** (tries - 1) : undefined
  }
}
