import type { Dashboard } from '#events/dashboard.ts'
import type { LiveEvent, ServerMessage, Topic } from '#events/live.ts'
import { coalesce } from './coalesce.ts'

/** How long events are gathered after a frame, in milliseconds. */
const gatherFor = 50

/** A frame as all who follow a topic get it, written once. */
export type Frame = {
  position: number
  /** Up to where of the event log it tells; undefined when it says nothing of that. */
  logged: number | undefined
  events: LiveEvent[]
  bytes: Buffer
}

type Follower = { take(frame: Frame): void }

/** A topic that is followed: the events that wait for its next frame, and who gets it. */
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

  /** Of the last frame. */
  get position(): number {
    return this.#position
  }

  add(follower: Follower): void {
    this.#followers.add(follower)
  }

  /** True when nobody is left. */
  remove(follower: Follower): boolean {
    this.#followers.delete(follower)
    if (this.#followers.size > 0) return false
    clearTimeout(this.#gathering)
    return true
  }

  /** What a topic outside the log begins with; many ask for the same one when all begin anew. */
  state(state: Dashboard | null): Buffer {
    const position = this.#position
    if (this.#state?.position !== position || this.#state.of !== state) {
      const bytes = written({ type: 'state', topic: this.topic, position, state })
      this.#state = { position, of: state, bytes }
    }
    return this.#state.bytes
  }

  /** The first event goes out at once; what follows is gathered, so that a frame costs little however much happens. */
  hear(event: LiveEvent, logged?: number): void {
    this.#waiting = coalesce(this.#waiting, event)
    this.#logged = logged ?? this.#logged
    if (this.#gathering) return
    this.flush()
    this.#gatherOn()
  }

  /** Sends what waits. */
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
    }, gatherFor)
  }
}

/** A message as it goes over the wire. */
export const written = (message: ServerMessage): Buffer => Buffer.from(JSON.stringify(message))
