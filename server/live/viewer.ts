import { WebSocket } from 'ws'
import type { Dashboard } from '#events/dashboard.ts'
import { ClientMessage, type LiveEvent, type ServerMessage, type Topic } from '#events/live.ts'
import { coalesce } from './coalesce.ts'
import { reach } from './topics.ts'

/** How long events are gathered after a frame, in milliseconds. */
const gatherFor = 50
/** How many bytes may wait for a browser that reads slowly, before it gets no more until they are gone. */
const mostUnread = 1024 * 1024
/** How many messages a browser may send between two beats. */
const mostMessages = 50
export const closeCodes = { notUnderstood: 1008, goingAway: 1001, sessionEnded: 4401 } as const

type Subscription = { position: number; waiting: LiveEvent[] }

/** One browser that looks on: what it subscribed to, and the frames that wait for it. */
export class Viewer {
  readonly sessionId: string
  readonly #socket: WebSocket
  readonly #stateOf: (topic: Topic) => Dashboard | null
  readonly #subscribed = new Map<Topic, Subscription>()
  #gathering: NodeJS.Timeout | undefined
  /** It reads too slowly: what happens is left out until it has read all, then it gets the state of things. */
  #isBehind = false
  #messages = 0
  #isAlive = true

  constructor(socket: WebSocket, sessionId: string, stateOf: (topic: Topic) => Dashboard | null) {
    this.sessionId = sessionId
    this.#socket = socket
    this.#stateOf = stateOf
    socket.on('message', (data) => this.#receive(readMessage(String(data))))
    socket.on('pong', () => (this.#isAlive = true))
    socket.on('close', () => clearTimeout(this.#gathering))
    socket.on('error', () => socket.terminate())
  }

  /** The first event goes out at once; what follows is gathered, so that a frame costs little however much happens. */
  push(event: LiveEvent): void {
    for (const [topic, subscription] of this.#subscribed) {
      const reached: readonly string[] = reach[event.type]
      if (reached.includes(topic)) subscription.waiting = coalesce(subscription.waiting, event)
    }
    if (!this.#gathering) this.#flush()
  }

  /** Something may have been missed: every topic begins anew. */
  resync(): void {
    for (const [topic, subscription] of this.#subscribed) this.#sendState(topic, subscription)
  }

  beat(message: ServerMessage): void {
    this.#messages = 0
    if (!this.#isBehind && !this.#isSlow()) this.#send(message)
  }

  /** Ends a connection whose other end has been silent since it was asked last. */
  checkAlive(): void {
    if (!this.#isAlive) return this.#socket.terminate()
    this.#isAlive = false
    this.#socket.ping()
  }

  close(code: number): void {
    this.#socket.close(code)
  }

  #flush() {
    this.#gathering = undefined
    const ready = [...this.#subscribed].filter(([, { waiting }]) => waiting.length > 0)
    if (ready.length === 0) return
    this.#isBehind ||= this.#isSlow()
    for (const [topic, subscription] of ready) {
      const events = subscription.waiting
      subscription.waiting = []
      if (!this.#isBehind) this.#send({ type: 'events', topic, position: (subscription.position += 1), events })
    }
    this.#gathering = setTimeout(() => this.#flush(), gatherFor)
  }

  #receive(message: ClientMessage | undefined) {
    this.#messages += 1
    if (!message || this.#messages > mostMessages) return this.#socket.close(closeCodes.notUnderstood)
    const { type, topic } = message
    if (type === 'unsubscribe') return void this.#subscribed.delete(topic)
    const subscription = this.#subscribed.get(topic) ?? { position: 0, waiting: [] }
    this.#subscribed.set(topic, subscription)
    this.#sendState(topic, subscription)
  }

  #sendState(topic: Topic, subscription: Subscription) {
    this.#isBehind ||= this.#isSlow()
    if (this.#isBehind) return
    subscription.waiting = []
    subscription.position += 1
    this.#send({ type: 'state', topic, position: subscription.position, state: this.#stateOf(topic) })
  }

  #send(message: ServerMessage) {
    this.#socket.send(JSON.stringify(message), () => this.#catchUp())
  }

  #catchUp() {
    const hasReadAll = this.#socket.bufferedAmount === 0 && this.#socket.readyState === WebSocket.OPEN
    if (!this.#isBehind || !hasReadAll) return
    this.#isBehind = false
    this.resync()
  }

  #isSlow = () => this.#socket.bufferedAmount > mostUnread
}

function readMessage(text: string): ClientMessage | undefined {
  try {
    return ClientMessage.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
