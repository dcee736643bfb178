import { type ClientMessage, ServerMessage, type Topic, beatIntervalMs } from '#events/live.ts'

type Phase = 'connecting' | 'live' | 'stale' | 'offline'
/** Times in milliseconds; `retryAt` while the next try is waited for. */
export type LiveStatus = { phase: Phase; isOpen: boolean; heardAt: number; retryAt: number | undefined }

/** What the server says of a topic. */
export type TopicMessage = Extract<ServerMessage, { position: number }>

type Options = {
  url: string
  /** Receives messages in order and without gaps: `events` follow the `state` or `resumed` of their topic in steps of one. */
  onMessage: (message: ServerMessage) => void
  onStatus: (status: LiveStatus) => void
  /** The server did not let us in, or was not reached: the session may be over. */
  onRefused?: () => void
  delaysMs?: readonly number[]
}

/**
 * How far a topic was told: the last frame's position, none while its `state` or `resumed` is awaited, and up to where of
 * the event log.
 */
type TopicPosition = { position: number | undefined; logged: number | undefined }

/** Waits between the tries to connect, each ±30 %. Milliseconds. */
const reconnectDelaysMs = [500, 1_000, 2_000, 4_000, 8_000, 15_000]
/** The code with which the server closes the sockets of a session that is over. */
const sessionEnded = 4401
const lateMs = 3_000
const staleMs = 15_000
const offlineMs = 60_000

/** What a silence means; an open socket may be silent for as long as it takes to the next beat. */
export function phaseAfter(silence: number, isOpen: boolean): Phase {
  if (silence >= offlineMs) return 'offline'
  if (silence >= staleMs) return 'stale'
  return isOpen && silence < lateMs + beatIntervalMs ? 'live' : 'connecting'
}

/**
 * The one socket of a page. It connects again for ever; a topic whose numbers skip is subscribed again, and an open
 * socket that has been silent for too long is given up.
 */
export class LiveConnection {
  readonly #options: Options
  readonly #positions = new Map<Topic, TopicPosition>()
  readonly #watch: ReturnType<typeof setInterval>
  #socket: WebSocket | undefined
  #listening = new AbortController()
  #retry: ReturnType<typeof setTimeout> | undefined
  #retryAt: number | undefined
  #tries = 0
  #isOpen = false
  #heardAt = Date.now()
  #triedAt = 0

  constructor(options: Options) {
    this.#options = options
    this.#watch = setInterval(() => this.#look(), 1_000)
    this.#connect()
  }

  /** Asks for the whole of the topic. */
  subscribe(topic: Topic): void {
    this.#ask(topic, undefined)
  }

  unsubscribe(topic: Topic): void {
    this.#positions.delete(topic)
    this.#say({ type: 'unsubscribe', topic })
  }

  /** The last frame of a topic and up to where of the event log it told; undefined while the topic is not told. */
  positionOf(topic: Topic): { position: number; logged: number | undefined } | undefined {
    const { position, logged } = this.#positions.get(topic) ?? {}
    return position === undefined ? undefined : { position, logged }
  }

  /** Does not wait for the next try. */
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
    const { signal } = (this.#listening = new AbortController())
    socket.addEventListener('open', () => this.#opened(), { signal })
    socket.addEventListener('message', ({ data }) => this.#receive(String(data)), { signal })
    socket.addEventListener('close', ({ code }) => this.#lost(code === sessionEnded), { signal })
    this.#reportStatus()
  }

  #opened() {
    this.#isOpen = true
    this.#heard()
    for (const [topic, { logged }] of this.#positions) this.#ask(topic, logged)
  }

  #receive(text: string) {
    this.#tries = 0
    this.#heard()
    const { data: message } = ServerMessage.safeParse(JSON.parse(text))
    // A newer server may say things that this build does not know yet.
    if (!message) return
    if (message.type === 'beat' || message.type === 'refused' || this.#isNext(message)) this.#options.onMessage(message)
  }

  #isNext(message: TopicMessage): boolean {
    const { topic, position, logged } = message
    const told = this.#positions.get(topic)
    if (!told) return false
    if (message.type === 'events') {
      if (told.position === undefined || position <= told.position) return false
      if (position > told.position + 1) {
        this.#ask(topic, told.logged)
        return false
      }
    }
    this.#positions.set(topic, { position, logged: logged ?? told.logged })
    return true
  }

  /** Asks for what followed `after`, or for the whole; what still comes of before is left alone. */
  #ask(topic: Topic, after: number | undefined) {
    this.#positions.set(topic, { position: undefined, logged: after })
    this.#say({ type: 'subscribe', topic, ...(after !== undefined && { after }) })
  }

  #lost(isSessionOver = false) {
    const isRefused = isSessionOver || !this.#isOpen
    this.#drop()
    const { delaysMs = reconnectDelaysMs, onRefused } = this.#options
    const wait = (delaysMs[Math.min(this.#tries, delaysMs.length - 1)] ?? 0) * (0.7 + 0.6 * Math.random())
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
    this.#listening.abort()
    socket?.close()
  }

  #stopWaiting() {
    clearTimeout(this.#retry)
    this.#retry = undefined
    this.#retryAt = undefined
  }

  #heard() {
    this.#heardAt = Date.now()
    this.#reportStatus()
  }

  #look() {
    const silentSince = Math.max(this.#heardAt, this.#triedAt)
    if (this.#socket && Date.now() - silentSince >= staleMs) this.#lost()
    else this.#reportStatus()
  }

  #reportStatus() {
    const phase = phaseAfter(Date.now() - this.#heardAt, this.#isOpen)
    this.#options.onStatus({ phase, isOpen: this.#isOpen, heardAt: this.#heardAt, retryAt: this.#retryAt })
  }

  #say(message: ClientMessage) {
    if (this.#isOpen) this.#socket?.send(JSON.stringify(message))
  }
}
