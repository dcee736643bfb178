import type { WebSocket } from 'ws'
import type { ChangeTopic } from '#events/changes.ts'
import { LiveEvent } from '#events/live.ts'
import { readDashboard } from '#server/scanning/dashboard/index.ts'
import { buildReader, clientFolder } from '#server/platform/http/clientFiles.ts'
import { gauge } from '#server/platform/http/metrics.ts'
import type { Platform } from '#server/platform/platform.ts'
import { currentScopeOf, type Scope } from '#server/platform/callers/scope.ts'
import { openSessions } from '#server/platform/callers/session.ts'
import type { Visitor } from '#server/platform/callers/visitor.ts'
import { openWallSessions } from '#server/platform/callers/wallSession.ts'
import { written } from './channel.ts'
import { Channels } from './channels.ts'
import { keepDashboard } from './dashboardState.ts'
import { LiveClient, closeCodes } from './liveClient.ts'

/** Topics whose changes may change what users see. */
const scopeTopics: readonly ChangeTopic[] = ['limits', 'projects', 'users', 'volumes']
/** Heartbeats between two checks that a browser is still connected. */
const beatsPerCheck = 10

const everyone = new Set<LiveClient>()
gauge('live_viewers', 'Connected browsers', () => everyone.size)

/** The browsers connected to this replica, and the state of their topics. */
export class Hub {
  readonly #deps: Pick<Platform, 'db' | 'log'>
  readonly #viewers = new Set<LiveClient>()
  readonly #dashboard
  readonly #channels
  readonly #build = buildReader(clientFolder)
  /** A read failed: the next heartbeat tries again. */
  #isStale = false
  #beats = 0

  constructor(deps: Pick<Platform, 'db' | 'log'>) {
    this.#deps = deps
    this.#dashboard = keepDashboard(() => readDashboard(deps.db))
    this.#channels = new Channels(deps, this.#dashboard)
  }

  accept(socket: WebSocket, visitor: Visitor): void {
    const viewer = new LiveClient(socket, visitor, this.#channels)
    this.#viewers.add(viewer)
    everyone.add(viewer)
    socket.on('close', () => {
      this.#viewers.delete(viewer)
      everyone.delete(viewer)
    })
    viewer.beat(this.#beatMessage())
  }

  /** Receives an event from a replica; ignores other messages on the subject. */
  publish(text: string): void {
    const event = readEvent(text)
    if (!event) return this.#deps.log.warn('invalid message on the live subject')
    this.#dashboard.publish(event)
    this.#channels.publish(event)
    if (event.type !== 'changed') return
    if (event.topics.includes('dashboard')) void this.#refreshDashboard()
    if (event.topics.some((topic) => scopeTopics.includes(topic))) void this.#checkSessions(true)
  }

  /** Reads the state from the database; throws if that is down. */
  start = (): Promise<void> => this.#dashboard.refresh()

  /** The event log may have grown. */
  wake(): void {
    this.#channels.wake()
  }

  /** Events of the replicas may have been missed: reads the state again and restarts all subscriptions. */
  async resync(): Promise<void> {
    if (await this.#readAnew()) for (const viewer of this.#viewers) viewer.resync()
  }

  beat(): void {
    this.#beats += 1
    const message = this.#beatMessage()
    for (const viewer of this.#viewers) {
      viewer.beat(message)
      if (this.#beats % beatsPerCheck === 0) viewer.checkAlive()
    }
    void this.#checkSessions(this.#beats % beatsPerCheck === 0)
    if (this.#isStale) void this.resync()
  }

  async stop(): Promise<void> {
    for (const viewer of this.#viewers) viewer.close(closeCodes.goingAway)
    await this.#channels.stop()
  }

  async #refreshDashboard() {
    if (await this.#readAnew()) this.#channels.publish({ type: 'dashboard', dashboard: this.#dashboard.current() })
  }

  /** Returns whether the state could be read. */
  async #readAnew(): Promise<boolean> {
    try {
      await this.#dashboard.refresh()
      this.#isStale = false
    } catch (error) {
      this.#isStale = true
      this.#deps.log.error({ err: error }, 'could not read the live dashboard')
    }
    return !this.#isStale
  }

  /**
   * Closes the sockets of ended sessions, and ends subscriptions that users may no longer have; while the database is
   * down, all stay. `withScopes`: reads again what each user sees, even if only limited users changed among themselves.
   */
  async #checkSessions(withScopes: boolean) {
    const clients = [...this.#viewers]
    const ids = (isWall: boolean) => [
      ...new Set(clients.filter((viewer) => viewer.isWall === isWall).map(({ sessionId }) => sessionId)),
    ]
    const { db } = this.#deps
    const open = await Promise.all([openSessions(db, ids(false)), openWallSessions(db, ids(true))]).catch(
      () => undefined,
    )
    if (!open) return
    const [users, walls] = open
    const scopes = new Map<number, Promise<Scope>>()
    const scopeOf = (id: number) => scopes.get(id) ?? scopes.set(id, currentScopeOf(db, id)).get(id)
    for (const viewer of clients) {
      const user = users.get(viewer.sessionId)
      const wall = walls.get(viewer.sessionId)
      if (viewer.isWall && wall) viewer.allow([], wall)
      else if (!user) viewer.close(closeCodes.sessionEnded)
      if (!user) continue
      const isSame = user.isLimited === viewer.isLimited && !(withScopes && user.isLimited)
      const scope = isSame ? viewer.scope : await scopeOf(user.id)?.catch(() => undefined)
      // Without what the user sees now, nothing is sent until the page connects again.
      if (scope) viewer.allow(user.roles, scope)
      else viewer.close(closeCodes.goingAway)
    }
  }

  #beatMessage = () => written({ type: 'beat', at: new Date().toISOString(), build: this.#build() })
}

function readEvent(text: string): LiveEvent | undefined {
  try {
    return LiveEvent.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
