import type { LoggedEvent } from '#events/event-log/calls.ts'

const pageSize = 500
/** How often the log is looked at though nobody said that it grew, in milliseconds. */
const lookEvery = 1_000

type Log = {
  /** The last position. */
  newest(): Promise<number>
  /** What follows a position, ascending. */
  read(after: number, limit: number): Promise<LoggedEvent[]>
}

type Reader = {
  /** Nothing is read while nobody wants it. */
  isWanted(): boolean
  /** Takes the next events; none is left out and none comes twice for as long as it is wanted. */
  take(events: LoggedEvent[], after: number): void
  failed(error: unknown): void
}

/** Reads the end of the event log as it grows, for one replica. Positions commit in their order, so none appears later. */
export class LogTail {
  readonly #log: Log
  readonly #reader: Reader
  /** Up to where events were taken; undefined while nobody wants any. */
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

  /** There may be something new. */
  wake(): void {
    this.#end()
  }

  /** Up to where events were taken; for the first that wants any, where the log ends now. Ask when it is wanted. */
  ready(): Promise<number> {
    if (this.#position !== undefined) return Promise.resolve(this.#position)
    const ready = new Promise<number>((resolve) => this.#starting.push(resolve))
    this.wake()
    return ready
  }

  /** Up to where events were taken. */
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

  /** Takes the next page; true when there may be another. */
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
      const timer = setTimeout(resolve, lookEvery)
      this.#end = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
