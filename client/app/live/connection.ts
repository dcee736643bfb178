import { type ClientMessage, ServerMessage, type Topic, beatIntervalMs } from '#events/live.ts'

type Phase = 'connecting' | 'live' | 'stale' | 'offline'
/** Times in milliseconds. `retryAt` is set while waiting for the next attempt. */
export type LiveStatus = { phase: Phase; isOpen: boolean; lastMessageAt: number; retryAt: number | undefined }

export type TopicMessage = Extract<ServerMessage, { position: number }>

type Options = {
  url: string
  /**
   * Called in order and without gaps: positions of `events` follow the topic's `state` or `resumed` in steps of one.
   */
  onMessage: (message: ServerMessage) => void
  onStatus: (status: LiveStatus) => void
  /** The server refused or was unreachable, so the session may have ended. */
  onRefused?: () => void
  delaysMs?: readonly number[]
}

/**
 * Progress of a topic: position of the last frame, undefined until its `state` or `resumed` arrives, and position in
 * the event log.
 */
type TopicPosition = { position: number | undefined; logged: number | undefined }

/**
 * Milliseconds between connection attempts, each ±80 %: the browsers of a server that ends all lose their connection at once, and must
 * not come back at once.
 */
const reconnectDelaysMs = [1_000, 2_000, 4_000, 8_000, 15_000]
const spread = 0.8
/** Close code of the server when the session has ended. */
const sessionEnded = 4401
const lateMs = 3_000
const staleMs = 15_000
const offlineMs = 60_000

/** Phase after a silence in milliseconds. An open socket may be silent until the next heartbeat is late. */
export function phaseAfter(silence: number, isOpen: boolean): Phase {
  if (silence >= offlineMs) return 'offline'
  if (silence >= staleMs) return 'stale'
  return isOpen && silence < lateMs + beatIntervalMs ? 'live' : 'connecting'
}

/**
 * The page's only WebSocket. Reconnects indefinitely, subscribes again to topics with gaps, and closes a socket that is
 * silent for too long.
 */
export class LiveConnection {
  readonly #options: Options
  readonly #positions = new Map<Topic, TopicPosition>()
  readonly #watch: ReturnType<typeof setInterval>
  #socket: WebSocket | undefined
  #retry: ReturnType<typeof setTimeout> | undefined
  #retryAt: number | undefined
  #tries = 0
  #isOpen = false
  #lastMessageAt = Date.now()
  #triedAt = 0

  constructor(options: Options) {
    this.#options = options
    this.#watch = setInterval(() => this.#look(), 1_000)
    this.#connect()
  }

  /** Subscribes to a topic from its `state`. */
  subscribe(topic: Topic): void {
    this.#ask(topic, undefined)
  }

  unsubscribe(topic: Topic): void {
    this.#positions.delete(topic)
    this.#say({ type: 'unsubscribe', topic })
  }

  /** Last position of a topic and of the event log; undefined while no state has arrived. */
  positionOf(topic: Topic): { position: number; logged: number | undefined } | undefined {
    const { position, logged } = this.#positions.get(topic) ?? {}
    return position === undefined ? undefined : { position, logged }
  }

  /** Reconnects immediately. */
  retryNow(): void {
    if (this.#retry) this.#connect()
  }

  close(): void {
    clearInterval(this.#watch)
    this.#stopWaiting()
    this.#drop()
  }

  #connect() {
    this.#stopWaiting()
    const socket = new WebSocket(this.#options.url)
    this.#socket = socket
    this.#triedAt = Date.now()
    // Events of a socket that was dropped are ignored.
    const isCurrent = () => this.#socket === socket
    socket.addEventListener('open', () => isCurrent() && this.#opened())
    socket.addEventListener('message', ({ data }) => isCurrent() && this.#receive(String(data)))
    socket.addEventListener('close', ({ code }) => isCurrent() && this.#lost(code === sessionEnded))
    this.#reportStatus()
  }

  #opened() {
    this.#isOpen = true
    this.#received()
    for (const [topic, { logged }] of this.#positions) this.#ask(topic, logged)
  }

  #receive(text: string) {
    this.#tries = 0
    this.#received()
    const { data: message } = ServerMessage.safeParse(JSON.parse(text))
    // A newer server may send message types that this build doesn't know.
    if (!message) return
    if (message.type === 'beat' || message.type === 'refused' || this.#isNext(message)) this.#options.onMessage(message)
  }

  #isNext(message: TopicMessage): boolean {
    const { topic, position, logged } = message
    const known = this.#positions.get(topic)
    if (!known) return false
    if (message.type === 'events') {
      if (known.position === undefined || position <= known.position) return false
      if (position > known.position + 1) {
        this.#ask(topic, known.logged)
        return false
      }
    }
    this.#positions.set(topic, { position, logged: logged ?? known.logged })
    return true
  }

  /** Requests events after a position, or the full state. Frames of the earlier subscription are ignored. */
  #ask(topic: Topic, after: number | undefined) {
    this.#positions.set(topic, { position: undefined, logged: after })
    this.#say({ type: 'subscribe', topic, ...(after !== undefined && { after }) })
  }

  #lost(isSessionOver = false) {
    const isRefused = isSessionOver || !this.#isOpen
    this.#drop()
    const { delaysMs = reconnectDelaysMs, onRefused } = this.#options
    const wait = (delaysMs[Math.min(this.#tries, delaysMs.length - 1)] ?? 0) * (1 + spread * (2 * Math.random() - 1))
    this.#tries += 1
    this.#retryAt = Date.now() + wait
    this.#retry = setTimeout(() => this.#connect(), wait)
    this.#reportStatus()
    if (isRefused) onRefused?.()
  }

  #drop() {
    const socket = this.#socket
    this.#socket = undefined
    this.#isOpen = false
    socket?.close()
  }

  #stopWaiting() {
    clearTimeout(this.#retry)
    this.#retry = undefined
    this.#retryAt = undefined
  }

  #received() {
    this.#lastMessageAt = Date.now()
    this.#reportStatus()
  }

  #look() {
    const silentSince = Math.max(this.#lastMessageAt, this.#triedAt)
    if (this.#socket && Date.now() - silentSince >= staleMs) this.#lost()
    else this.#reportStatus()
  }

  #reportStatus() {
    const phase = phaseAfter(Date.now() - this.#lastMessageAt, this.#isOpen)
    this.#options.onStatus({ phase, isOpen: this.#isOpen, lastMessageAt: this.#lastMessageAt, retryAt: this.#retryAt })
  }

  #say(message: ClientMessage) {
    if (this.#isOpen) this.#socket?.send(JSON.stringify(message))
  }
}
