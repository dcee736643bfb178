import type { Clock } from '#agent/simulator/clock.ts'
import type { Failure } from '../unconfirmed.ts'
import { blocksOf, type Media } from './media.ts'

/** Simulated times of tapes. */
export type DriveTimes = { mountMs: number; msPerBlock: number; bytesPerSecond: number }

/** A file that is read from or written to a tape. */
export type TapeTask = {
  kind: 'read' | 'write'
  path: string
  media: Media
  /** Block of a file that is read. Writes begin at the tape's next block. */
  startBlock?: number
  bytes: number
  end: (result: TapeResult) => void
}

type TapeResult = { failure: Failure } | { startBlock: number }

/** A finished access of a tape. `at` in simulated milliseconds since 1970. */
export type TapeAccess = { kind: 'read' | 'write'; path: string; mediaId: string; startBlock: number; at: number }

const busyPollMs = 5_000

/** One drive. Tasks run one after another, in the order in which they were submitted. */
export class Drive {
  /** Starts no task. */
  isBusy = false
  mounts = 0
  readonly log: TapeAccess[] = []
  readonly times: DriveTimes
  readonly #clock: Clock
  #mountedId: string | undefined
  #block = 0
  #queue: TapeTask[] = []
  #current: TapeTask | undefined

  constructor(clock: Clock, times: DriveTimes) {
    this.#clock = clock
    this.times = times
  }

  submit(task: TapeTask): void {
    this.#queue.push(task)
    this.#runNext()
  }

  /** Drops all tasks, also the running one. */
  clear(): void {
    this.#queue = []
    this.#current = undefined
  }

  #runNext(): void {
    if (this.#current || this.#queue.length === 0) return
    if (this.isBusy) return this.#clock.after(busyPollMs, () => this.#runNext())
    this.#current = this.#queue.shift()
    if (this.#current) this.#run(this.#current)
  }

  #run(task: TapeTask): void {
    const { media, bytes } = task
    if (!media.isOnline) return this.#finish(task, { failure: 'tape offline' })
    const mountMs = this.#mount(media)
    const startBlock = task.startBlock ?? media.nextBlock
    const seekMs = Math.abs(startBlock - this.#block) * this.times.msPerBlock
    this.#clock.after(mountMs + seekMs + (bytes / this.times.bytesPerSecond) * 1_000, () => {
      if (this.#current === task) this.#finish(task, this.#access(task, startBlock))
    })
  }

  /** Returns the time to mount a tape. */
  #mount({ mediaId }: Media): number {
    if (this.#mountedId === mediaId) return 0
    this.#mountedId = mediaId
    this.#block = 0
    this.mounts++
    return this.times.mountMs
  }

  #access({ kind, path, media, bytes }: TapeTask, startBlock: number): TapeResult {
    if (media.isDamaged) return { failure: kind === 'read' ? 'read error' : 'write error' }
    this.#block = startBlock + blocksOf(bytes)
    if (kind === 'write') {
      media.nextBlock = this.#block
      media.usedBytes += bytes
    }
    this.log.push({ kind, path, mediaId: media.mediaId, startBlock, at: this.#clock.now() })
    return { startBlock }
  }

  #finish(task: TapeTask, result: TapeResult): void {
    this.#current = undefined
    task.end(result)
    this.#runNext()
  }
}
