import type { FlushAnswer } from '#events/feeds/flushes.ts'
import type { FollowOrder, FollowStatus } from '#events/feeds/follow.ts'
import { ChangedFolders, type Spacing, type TakenFolder } from './changedFolders.ts'
import type { Flush } from './messages.ts'
import { PathsToList } from './pathsToList.ts'

/** Milliseconds between two flushes. */
const flushEveryMs = 500
/** Milliseconds until a flush that failed is sent again; each time twice as long. */
const minDelayMs = 1_000
const maxDelayMs = 30_000
/** Milliseconds by which the clock of the machine may differ from the one that `since` was made with. */
const sinceToleranceMs = 1_000

const texts = {
  starting: 'The folders of the storage are being read. Its changes are followed from then on.',
  tooManyChanged: 'More folders changed than the agent can remember',
} as const

/** Most folders, and entries, after which a flush is sent. */
export const maxFolders = 2_000
export const maxRows = 50_000

/** The contents of a flush: blocks, the folders that were taken for it, and the paths that were listed for others. */
export type FlushContents = {
  parts: Uint8Array<ArrayBuffer>[]
  taken: TakenFolder[]
  paths: string[]
  oldestMs: number
}

/**
 * The common part of all feeds: sessions, folders that wait to be listed, the flush that waits for its answer and is repeated until
 * it is shown, and the state of the storage. Times are milliseconds of the monotonic clock.
 */
export class Outbox<Order extends FollowOrder> {
  readonly changed: ChangedFolders
  readonly paths = new PathsToList()
  readonly #send: (flush: Flush) => void
  order: Order
  nowMs = 0
  /** The reason for which changes before `since` may have been missed. */
  reason: string | undefined
  /** The reason for which the storage can't be followed; undefined if it is. */
  unavailable: string | undefined = texts.starting
  #sinceMs = Infinity
  #since = ''
  #flushAtMs = -Infinity
  #delayMs = 0
  #number = 0
  #inFlight: FlushContents | undefined
  /** The most by which the clock of the machine was ahead of the monotonic one: it may be set back while a scan runs. */
  #maxOffsetMs = -Infinity

  constructor(order: Order, send: (flush: Flush) => void, spacing?: Spacing) {
    this.order = order
    this.#send = send
    this.changed = new ChangedFolders({ ...spacing })
  }

  tick(nowMs: number): void {
    this.nowMs = nowMs
    this.#maxOffsetMs = Math.max(this.#maxOffsetMs, Date.now() - nowMs)
  }

  /** Starts another session, without anything of the one before but the folders that changed. */
  begin(order: Order): void {
    this.order = order
    this.#number = this.#delayMs = 0
    this.#inFlight = undefined
    this.#flushAtMs = -Infinity
    this.paths.clear()
  }

  /** Lists folders again for this session that changed since its scan began. */
  listSinceScan(): void {
    if (this.changed.listSince(Date.parse(this.order.baseStartedAt) - this.#maxOffsetMs)) return
    this.#sinceMs = this.nowMs
    this.reason = texts.tooManyChanged
  }

  get isFull(): string | undefined {
    return this.changed.isFull() ? texts.tooManyChanged : undefined
  }

  /** From now on every change is seen. */
  isLive(): void {
    this.#sinceMs = this.nowMs
    this.#since = ''
    this.unavailable = undefined
  }

  isStarting(): void {
    this.unavailable = texts.starting
  }

  /** True if something is to be listed, and no flush waits for its answer or its next try. */
  isDue(): boolean {
    if (this.#inFlight || this.nowMs < this.#flushAtMs) return false
    return this.paths.size > 0 || this.changed.hasDue(this.nowMs)
  }

  post(listed: FlushContents): void {
    this.#flushAtMs = this.nowMs + flushEveryMs
    this.#inFlight = listed
    const { volumeId, session } = this.order
    this.#send({ volumeId, session, number: ++this.#number, parts: listed.parts })
  }

  /** The server's answer to the flush; undefined without one. Returns whether it is shown; undefined for a flush of an earlier session. */
  answered(session: string, answer: FlushAnswer | undefined): boolean | undefined {
    const inFlight = this.#inFlight
    if (!inFlight || session !== this.order.session) return undefined
    this.#inFlight = undefined
    if (answer?.type === 'shown') {
      this.#delayMs = 0
      for (const path of answer.list) this.paths.push({ path, isDeep: true, sinceMs: inFlight.oldestMs })
      return true
    }
    this.again(inFlight)
    return false
  }

  /** Lists what a flush has again, after a delay. */
  again({ taken, paths, oldestMs: sinceMs }: FlushContents): void {
    this.#delayMs = Math.min(Math.max(minDelayMs, this.#delayMs * 2), maxDelayMs)
    this.#flushAtMs = this.nowMs + this.#delayMs
    for (const one of taken) this.changed.putBack(one)
    for (const path of paths) this.paths.push({ path, isDeep: false, sinceMs })
  }

  /** The folders that wait, also for the answer to a flush. */
  unshown(): string[] {
    return [...this.changed.waiting(), ...(this.#inFlight?.taken.map(({ key }) => key) ?? [])]
  }

  /** `alsoBehindMs`: age of the oldest change that isn't shown, if the feed knows of one that isn't here. */
  status(alsoBehindMs = 0): FollowStatus {
    const { volumeId } = this.order
    if (this.unavailable !== undefined)
      return { volumeId, state: 'UNAVAILABLE', reason: this.unavailable, since: null, behindMs: null }
    const oldestMs = Math.min(this.changed.oldestMs(), this.paths.oldestMs(), this.#inFlight?.oldestMs ?? Infinity)
    const behindMs = Math.max(alsoBehindMs, oldestMs === Infinity ? 0 : this.nowMs - oldestMs)
    return { volumeId, state: 'LIVE', reason: this.reason ?? null, since: this.#sinceNow(), behindMs }
  }

  /** The start by the current clock, which may have been set. */
  #sinceNow(): string {
    const sinceMs = this.#sinceMs + Date.now() - this.nowMs
    const isSame = Math.abs(Date.parse(this.#since) - sinceMs) <= sinceToleranceMs
    if (!isSame) this.#since = new Date(sinceMs).toISOString()
    return this.#since
  }
}
