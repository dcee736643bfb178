import type { Dashboard } from '#events/dashboard.ts'
import type { LiveEvent, ServerMessage, Topic } from '#events/live.ts'
import { coalesce } from './coalesce.ts'

/** Milliseconds that events are gathered after a frame. */
const batchDelayMs = 50

/** A frame for all subscribers of a topic, serialized once. */
export type Frame = {
  position: number
  /** The position of the event log it includes; undefined for topics outside the log. */
  logged: number | undefined
  events: LiveEvent[]
  bytes: Buffer
}

type Follower = { take(frame: Frame): void }

/** A topic with subscribers: the events waiting for its next frame, and the receivers. */
export class Channel {
  readonly topic: Topic
  readonly #followers = new Set<Follower>()
  #position = 0
  #waiting: LiveEvent[] = []
  #logged: number | undefined
  #gathering: NodeJS.Timeout | undefined
  #state: { position: number; of: Dashboard | null; bytes: Buffer } | undefined

  constructor(topic: Topic) {
    this.topic = topic
  }

  /** Position of the last frame. */
  get position(): number {
    return this.#position
  }

  add(follower: Follower): void {
    this.#followers.add(follower)
  }

  /** Returns true if no subscribers are left. */
  remove(follower: Follower): boolean {
    this.#followers.delete(follower)
    if (this.#followers.size > 0) return false
    clearTimeout(this.#gathering)
    return true
  }

  /** The beginning of a topic outside the log, cached because many request the same one after a reconnect. */
  state(state: Dashboard | null): Buffer {
    const position = this.#position
    if (this.#state?.position !== position || this.#state.of !== state) {
      const bytes = written({ type: 'state', topic: this.topic, position, state })
      this.#state = { position, of: state, bytes }
    }
    return this.#state.bytes
  }

  /** The first event is sent at once; the following ones are gathered, which limits the number of frames. */
  publish(event: LiveEvent, logged?: number): void {
    this.#waiting = coalesce(this.#waiting, event)
    this.#logged = logged ?? this.#logged
    if (this.#gathering) return
    this.flush()
    this.#gatherOn()
  }

  /** Sends the waiting events. */
  flush(): void {
    if (this.#waiting.length === 0) return
    const { topic } = this
    const logged = this.#logged
    const events = this.#waiting
    this.#waiting = []
    this.#position += 1
    const position = this.#position
    const frame = { position, logged, events, bytes: written({ type: 'events', topic, position, logged, events }) }
    for (const follower of this.#followers) follower.take(frame)
  }

  #gatherOn() {
    this.#gathering = setTimeout(() => {
      this.#gathering = undefined
      if (this.#waiting.length === 0) return
      this.flush()
      this.#gatherOn()
    }, batchDelayMs)
  }
}

/** Serializes a message. */
export const written = (message: ServerMessage): Buffer => Buffer.from(JSON.stringify(message))
