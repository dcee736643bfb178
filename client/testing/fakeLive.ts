import { ClientMessage, type LiveEvent, ServerMessage, type Topic } from '#events/live.ts'

type State = Extract<ServerMessage, { type: 'state' }>['state']

/** Replaces the server's end of the live connection. Checks messages with the schemas of the contract. */
export class FakeLive {
  readonly #states: Partial<Record<Topic, State>>
  readonly #positions = new Map<Topic, number>()
  #socket: EventTarget | undefined
  /** Rejects new connections. */
  isDown = false

  /** `states`: initial state of each topic; null for the others. */
  constructor(states: Partial<Record<Topic, State>> = {}) {
    this.#states = { ...states }
  }

  /** Topics that the page is subscribed to. */
  get topics(): Topic[] {
    return [...this.#positions.keys()]
  }

  /** Sends events of a topic. Throws if the page is not subscribed to it. */
  send(topic: Topic, ...events: LiveEvent[]): void {
    const position = this.#positions.get(topic)
    if (position === undefined) throw new Error(`The page is not subscribed to ${topic}`)
    this.#positions.set(topic, position + 1)
    this.#say({ type: 'events', topic, position: position + 1, events })
  }

  /** Closes the connection and rejects new ones, like a server that is down. */
  close(): void {
    this.isDown = true
    this.#socket?.dispatchEvent(closed())
    this.#socket = undefined
  }

  /** Accepts connections again and reconnects the page immediately; topics start with the given states. */
  reopen(states: Partial<Record<Topic, State>> = {}): void {
    this.isDown = false
    Object.assign(this.#states, states)
    window.dispatchEvent(new Event('online'))
  }

  /** Class to use instead of `WebSocket`. */
  readonly socketClass = (() => {
    // oxlint-disable-next-line typescript/no-this-alias -- the class below has its own `this`
    const live = this
    return class extends EventTarget {
      constructor() {
        super()
        if (!live.isDown) live.#socket = this
        const outcome = live.isDown ? closed() : new Event('open')
        queueMicrotask(() => this.dispatchEvent(outcome))
      }
      send(text: string) {
        live.receive(ClientMessage.parse(JSON.parse(text)))
      }
      close() {}
    }
  })()

  /** Handles a message of the page. */
  receive({ type, topic }: ClientMessage): void {
    if (type === 'unsubscribe') return void this.#positions.delete(topic)
    this.#positions.set(topic, 0)
    this.#say({ type: 'state', topic, position: 0, state: this.#states[topic] ?? null })
  }

  #say(message: ServerMessage): void {
    const data = JSON.stringify(ServerMessage.parse(message))
    this.#socket?.dispatchEvent(new MessageEvent('message', { data }))
  }
}

/** The event of a lost connection. */
const closed = () => Object.assign(new Event('close'), { code: 1006 })
