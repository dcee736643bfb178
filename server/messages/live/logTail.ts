import type { LoggedEvent } from '#events/event-log/calls.ts'

const pageSize = 500
/** Milliseconds between checks of the log without a notification. */
const checkIntervalMs = 1_000

type Log = {
  /** The last position. */
  newest(): Promise<number>
  /** Events following a position, oldest first. */
  read(after: number, limit: number): Promise<LoggedEvent[]>
}

type Reader = {
  /** Nothing is read while this is false. */
  isWanted(): boolean
  /** Receives the next events, without gaps or duplicates while events are wanted. */
  take(events: LoggedEvent[], after: number): void
  failed(error: unknown): void
}

/** Reads the end of the event log as it grows, for one replica. Positions commit in order, so none appears later. */
export class LogTail {
  readonly #log: Log
  readonly #reader: Reader
  /** Position of the last passed event; undefined while no one wants events. */
  #position: number | undefined
  #isOver = false
  #end: () => void = () => {}
  #starting: ((position: number) => void)[] = []
  readonly #running: Promise<void>

  constructor(log: Log, reader: Reader) {
    this.#log = log
    this.#reader = reader
    this.#running = this.#run()
  }

  /** There may be new events. */
  wake(): void {
    this.#end()
  }

  /**
   * Position of the last passed event; for the first subscriber, the current end of the log. Call this once events are
   * wanted.
   */
  ready(): Promise<number> {
    if (this.#position !== undefined) return Promise.resolve(this.#position)
    const ready = new Promise<number>((resolve) => this.#starting.push(resolve))
    this.wake()
    return ready
  }

  /** Position of the last passed event. */
  get position(): number {
    return this.#position ?? 0
  }

  async stop(): Promise<void> {
    this.#isOver = true
    this.wake()
    await this.#running
  }

  async #run() {
    while (!this.#isOver) {
      const woken = this.#pause()
      const isMore = await this.#step().catch((error: unknown) => void this.#reader.failed(error))
      if (!isMore) await woken
    }
  }

  /** Passes the next page; returns true if there may be another. */
  async #step(): Promise<boolean> {
    if (!this.#reader.isWanted()) {
      this.#position = undefined
      return false
    }
    const after = (this.#position ??= await this.#log.newest())
    for (const started of this.#starting.splice(0)) started(after)
    const events = await this.#log.read(after, pageSize)
    const last = events.at(-1)
    if (!last) return false
    this.#position = last.position
    this.#reader.take(events, after)
    return events.length === pageSize
  }

  #pause() {
    return new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, checkIntervalMs)
      this.#end = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
