import type { LiveEvent, Topic } from '#events/live.ts'
import { type Frame, written } from './channel.ts'

type Viewer = {
  /** Whose jobs it is told of alone; undefined: everybody's. */
  readonly ownerSeen: number | undefined
  /** It may not follow this topic. */
  refuse(topic: Topic): void
  /** Whether it reads fast enough to be told more now. */
  canTake(): boolean
  send(bytes: Buffer): void
}

/** What one browser is told of one topic: what the topic begins with, then its frames. */
export class Subscription {
  readonly topic: Topic
  readonly #viewer: Viewer
  /** Up to where of the event log it is told; undefined while it begins with the whole, or outside the log. */
  logged: number | undefined
  /** The frames that come while its beginning is read. */
  #queued: Frame[] | undefined = []
  #turn = 0

  constructor(viewer: Viewer, topic: Topic) {
    this.#viewer = viewer
    this.topic = topic
  }

  /** Whose jobs it tells of alone; undefined: everybody's. */
  get ownerSeen(): number | undefined {
    return this.#viewer.ownerSeen
  }

  refuse(): void {
    this.#viewer.refuse(this.topic)
  }

  /** It begins, anew or for the first time, after a position of the log. Gives back whether that still counts. */
  prepare(after: number | undefined): () => boolean {
    this.#turn += 1
    const turn = this.#turn
    this.logged = after
    this.hold()
    return () => this.#turn === turn
  }

  /** Keeps the frames from now on until it begins, and forgets those kept before. */
  hold(): void {
    this.#queued = []
  }

  /** Nothing that is still on its way reaches it. */
  end(): void {
    this.#turn += 1
    this.#queued = []
  }

  /** Sends the beginning, which tells up to a position of the log, and what came since it was asked for. */
  begin(bytes: Buffer, logged: number | undefined): void {
    const queued = this.#queued ?? []
    this.#queued = undefined
    if (!this.#viewer.canTake()) return
    this.#viewer.send(bytes)
    this.logged = logged
    for (const frame of queued) this.#send(frame)
  }

  take(frame: Frame): void {
    if (this.#queued) this.#queued.push(frame)
    else this.#send(frame)
  }

  /** What a browser that reads too slowly misses is told when it has read all. */
  #send(frame: Frame) {
    if (!this.#viewer.canTake()) return
    const isForAll = this.topic !== 'jobs' || this.ownerSeen === undefined
    const isWhole = isForAll && !isPartlyKnown(frame, this.logged)
    this.#viewer.send(isWhole ? frame.bytes : this.#rest(frame))
    if (frame.logged !== undefined) this.logged = Math.max(frame.logged, this.logged ?? 0)
  }

  /** The same frame with what this browser may see and does not have yet; maybe nothing, since each number is told. */
  #rest({ position, logged = 0, events }: Frame): Buffer {
    const known = this.logged ?? 0
    const rest = ownEvents(events, this.ownerSeen).map((event): LiveEvent =>
      event.type === 'logged' ? { ...event, events: event.events.filter(({ position }) => position > known) } : event,
    )
    return written({ type: 'events', topic: this.topic, position, logged: Math.max(logged, known), events: rest })
  }
}

/** Without the jobs that others than `owner` launched. */
export const ownEvents = (events: LiveEvent[], owner: number | undefined): LiveEvent[] =>
  owner === undefined
    ? events
    : events.map((event): LiveEvent =>
        event.type === 'jobs' ? { ...event, jobs: event.jobs.filter(({ userId }) => userId === owner) } : event,
      )

/** A browser may be ahead of the replica that it came to. */
const isPartlyKnown = ({ events }: Frame, known: number | undefined): boolean =>
  known !== undefined &&
  events.some((event) => event.type === 'logged' && (event.events[0]?.position ?? Infinity) <= known)
