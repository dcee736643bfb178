import type { LiveEvent, Topic } from '#events/live.ts'
import { type JobSight, showsRow } from '#server/workers/jobs/index.ts'
import { type Frame, written } from './channel.ts'
import { isOfLog } from './topics.ts'

type LiveClient = {
  /** The jobs that may be sent; undefined for all. */
  readonly sight: JobSight | undefined
  /** The user sees only some projects and storages: no progress of scans is sent. */
  readonly isLimited: boolean
  /** The browser may not subscribe to this topic. */
  refuse(topic: Topic): void
  /** Returns whether it reads fast enough to send more now. */
  isWritable(): boolean
  send(bytes: Buffer): void
}

/** A browser's subscription to one topic: the topic's beginning, then its frames. */
export class Subscription {
  readonly topic: Topic
  readonly #viewer: LiveClient
  /** Log position sent so far; undefined before the full state is sent, or outside the log. */
  logged: number | undefined
  /** Frames received while the beginning is read. */
  #queued: Frame[] | undefined = []
  #turn = 0

  constructor(viewer: LiveClient, topic: Topic) {
    this.#viewer = viewer
    this.topic = topic
  }

  /** The jobs that it includes; undefined for all. */
  get sight(): JobSight | undefined {
    return this.#viewer.sight
  }

  refuse(): void {
    this.#viewer.refuse(this.topic)
  }

  /**
   * Starts or restarts it after a position of the log. Returns a function that tells if this start is still current.
   */
  prepare(after: number | undefined): () => boolean {
    this.#turn += 1
    const turn = this.#turn
    this.logged = after
    this.hold()
    return () => this.#turn === turn
  }

  /** Queues frames until the beginning is sent, and drops those queued before. */
  hold(): void {
    this.#queued = []
  }

  /** Pending frames no longer reach it. */
  end(): void {
    this.#turn += 1
    this.#queued = []
  }

  /** Sends the beginning, which includes the log up to a position, and the frames queued since the request. */
  begin(bytes: Buffer, logged: number | undefined): void {
    const queued = this.#queued ?? []
    this.#queued = undefined
    if (!this.#viewer.isWritable()) return
    this.#viewer.send(bytes)
    this.logged = logged
    for (const frame of queued) this.#send(frame)
  }

  take(frame: Frame): void {
    if (this.#queued) this.#queued.push(frame)
    else this.#send(frame)
  }

  /** Frames missed by a slow browser are sent when it has read everything. */
  #send(frame: Frame) {
    if (!this.#viewer.isWritable()) return
    const isForAll = !isOfLog(this.topic) || !this.sight || (this.topic !== 'jobs' && 'userId' in this.sight)
    const isWhole = isForAll && !isPartlyKnown(frame, this.logged)
    this.#viewer.send(isWhole ? frame.bytes : this.#rest(frame))
    if (frame.logged !== undefined) this.logged = Math.max(frame.logged, this.logged ?? 0)
  }

  /**
   * The part of a frame that this browser may see and doesn't have; may be empty, because every position is reported.
   */
  #rest({ position, logged = 0, events }: Frame): Buffer {
    const known = this.logged ?? 0
    const sent = this.#viewer.isLimited ? events.filter(({ type }) => type !== 'scanProgressed') : events
    const rest = seenEvents(sent, this.sight).map((event): LiveEvent =>
      event.type === 'logged' ? { ...event, events: event.events.filter(({ position }) => position > known) } : event,
    )
    return written({ type: 'events', topic: this.topic, position, logged: Math.max(logged, known), events: rest })
  }
}

/** Removes jobs that aren't seen, and with limits the addresses of those who changed a job. */
export const seenEvents = (events: LiveEvent[], sight: JobSight | undefined): LiveEvent[] =>
  events.map((event): LiveEvent => {
    if (event.type === 'jobs') return { ...event, jobs: event.jobs.filter((job) => showsRow(sight, job)) }
    if (event.type !== 'logged' || !sight || 'userId' in sight) return event
    return { ...event, events: event.events.map((one) => ({ ...one, address: null })) }
  })

/** A browser may be ahead of the replica it connects to. */
const isPartlyKnown = ({ events }: Frame, known: number | undefined): boolean =>
  known !== undefined &&
  events.some((event) => event.type === 'logged' && (event.events[0]?.position ?? Infinity) <= known)
