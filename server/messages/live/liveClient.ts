import { isDeepStrictEqual } from 'node:util'
import { WebSocket } from 'ws'
import { ClientMessage, type Topic } from '#events/live.ts'
import { isRefusedWithLimits } from '#events/contract/endpoint.ts'
import { jobs } from '#events/jobs/calls.ts'
import { type Role, may } from '#events/contract/needs.ts'
import { isTopicOfWall } from '#events/users/wallAccess.ts'
import { type JobSight, sightOf } from '#server/workers/jobs/index.ts'
import type { Scope } from '#server/platform/callers/scope.ts'
import type { Visitor } from '#server/platform/callers/visitor.ts'
import type { Channels } from './channels.ts'
import { written } from './channel.ts'
import { Subscription } from './subscription.ts'
import { isOfLog, needsOf } from './topics.ts'

/** Bytes waiting for a slow browser above which nothing more is sent until they are gone. */
const maxUnreadBytes = 1024 * 1024
/** Maximum messages of a browser between two heartbeats, and maximum topics. */
const maxMessages = 50
const maxTopics = 50
export const closeCodes = { notUnderstood: 1008, goingAway: 1001, sessionEnded: 4401 } as const

/** A connected browser: its permissions, its subscriptions, and its reading pace. */
export class LiveClient {
  readonly sessionId: string
  readonly isWall: boolean
  readonly #socket: WebSocket
  readonly #channels: Channels
  readonly #subscribed = new Map<Topic, Subscription>()
  readonly #userId: number
  #roles: readonly Role[]
  #scope: Scope
  #sight: JobSight | undefined
  /** It reads too slowly: events are skipped until it has read everything; then each topic is resumed or restarted. */
  #isBehind = false
  #messages = 0
  #isAlive = true

  constructor(socket: WebSocket, { id, sessionId, roles, scope, isWall }: Visitor, channels: Channels) {
    this.sessionId = sessionId
    this.isWall = isWall
    this.#socket = socket
    this.#userId = id
    this.#roles = roles
    this.#scope = scope
    this.#sight = sightOf({ id, roles, scope })
    this.#channels = channels
    socket.on('message', (data) => this.#receive(readMessage(String(data))))
    socket.on('pong', () => (this.#isAlive = true))
    socket.on('close', () => this.#subscribed.forEach((subscription) => channels.leave(subscription)))
    socket.on('error', () => socket.terminate())
  }

  isWritable(): boolean {
    this.#isBehind ||= this.#socket.bufferedAmount > maxUnreadBytes
    return !this.#isBehind
  }

  send(bytes: Buffer): void {
    this.#socket.send(bytes, { binary: false }, this.#catchUp)
  }

  /** Events of the replicas may have been missed: those topics are restarted. */
  resync(): void {
    for (const subscription of this.#subscribed.values()) {
      if (!isOfLog(subscription.topic)) this.#channels.begin(subscription)
    }
  }

  beat(message: Buffer): void {
    this.#messages = 0
    if (this.isWritable()) this.send(message)
  }

  /**
   * Sets the user's current roles and what they see, and ends subscriptions these no longer allow. All topics of a page whose user
   * sees something else restart, so that it reads everything again.
   */
  allow(roles: readonly Role[], scope: Scope): void {
    const seenBefore = this.#sight
    const isSameScope = isDeepStrictEqual(scope, this.#scope)
    this.#roles = roles
    this.#scope = scope
    this.#sight = sightOf({ id: this.#userId, roles, scope })
    for (const topic of this.#subscribed.keys()) if (!this.#canView(topic)) this.refuse(topic)
    if (isDeepStrictEqual(this.#sight, seenBefore) && isSameScope) return
    for (const subscription of this.#subscribed.values())
      if (!isSameScope || isOfLog(subscription.topic)) this.#channels.begin(subscription)
  }

  get scope(): Scope {
    return this.#scope
  }

  get isLimited(): boolean {
    return this.#scope !== 'everything'
  }

  get sight(): JobSight | undefined {
    return this.#sight
  }

  refuse(topic: Topic): void {
    this.#leave(topic)
    this.send(written({ type: 'refused', topic }))
  }

  /** Closes the connection if there was no response since the last check. */
  checkAlive(): void {
    if (!this.#isAlive) return this.#socket.terminate()
    this.#isAlive = false
    this.#socket.ping()
  }

  close(code: number): void {
    this.#socket.close(code)
  }

  #receive(message: ClientMessage | undefined) {
    this.#messages += 1
    if (!message || this.#messages > maxMessages) return this.close(closeCodes.notUnderstood)
    if (message.type === 'unsubscribe') return this.#leave(message.topic)
    if (!this.#canView(message.topic)) return this.refuse(message.topic)
    this.#subscribe(message.topic, message.after)
  }

  #subscribe(topic: Topic, after: number | undefined) {
    const subscription = this.#subscribed.get(topic) ?? new Subscription(this, topic)
    this.#subscribed.set(topic, subscription)
    if (this.#subscribed.size > maxTopics) return this.close(closeCodes.notUnderstood)
    this.#channels.begin(subscription, after)
  }

  #canView = (topic: Topic) =>
    (this.isWall ? isTopicOfWall(topic) : may(this.#roles, needsOf(topic))) &&
    !(this.isLimited && this.#isHidden(topic))

  // The dashboard has the names and sizes of all storages. Walls, which launch no jobs, follow those that they may list.
  #isHidden = (topic: Topic) =>
    topic === 'dashboard' || (this.isWall && topic === 'jobs' && isRefusedWithLimits(jobs.list))

  #leave(topic: Topic) {
    const subscription = this.#subscribed.get(topic)
    if (subscription) this.#channels.leave(subscription)
    this.#subscribed.delete(topic)
  }

  #catchUp = () => {
    const hasReadAll = this.#socket.bufferedAmount === 0 && this.#socket.readyState === WebSocket.OPEN
    if (!this.#isBehind || !hasReadAll) return
    this.#isBehind = false
    for (const subscription of this.#subscribed.values()) this.#channels.begin(subscription, subscription.logged)
  }
}

function readMessage(text: string): ClientMessage | undefined {
  try {
    return ClientMessage.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
