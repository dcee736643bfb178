import type { FlushAnswer } from '#events/feeds/flushes.ts'
import type { FollowStatus } from '#events/feeds/follow.ts'
import { ownersOf, nobody } from '../systems/local/owners.ts'
import { openBoundaries } from '../systems/local/boundaries.ts'
import { reason as reasonOf } from '../systems/local/failures.ts'
import { ChangedFolders, type TakenFolder } from './changedFolders.ts'
import { FirstWalk } from './firstWalk.ts'
import { FlushListing } from './flushListing.ts'
import { type Lister, newLister } from './lister.ts'
import type { FileOrder, Flush, Names } from './messages.ts'
import { PathsToList } from './pathsToList.ts'
import { identityOf, openPlace, type Place } from './place.ts'
import { openWatcher, reasonOfTooMany, type WayToWatch } from './watchers/openWatcher.ts'
import { NotFollowed, TooManyFolders, type Watcher } from './watchers/watcher.ts'

/** Milliseconds between two flushes, between looks at mounts, and between tries to follow a storage that can't be followed. */
const flushEveryMs = 500
const lookEveryMs = 1_000
const retryEveryMs = 10 * 60_000
const retryMissingEveryMs = 5_000
/** Milliseconds until a flush that failed is sent again; each time twice as long. */
const minDelayMs = 1_000
const maxDelayMs = 30_000
/** Milliseconds by which the clock of the machine may differ from the one that `since` was made with. */
const sinceToleranceMs = 1_000

const texts = {
  starting: 'The folders of the storage are being read. Its changes are followed from then on.',
  replaced: 'The folder of the storage was unmounted or replaced. Its changes are followed again after its next scan.',
  wasReplaced: 'The folder of the storage was unmounted or replaced for some time',
  mounts: 'A file system in the storage was mounted or unmounted',
  tooManyChanged: 'More folders changed than the agent can remember',
} as const

type Options = {
  send: (flush: Flush) => void
  /** Called at each entry of a listing. */
  pulse: () => void
  /** Only for tests. */
  way?: WayToWatch | undefined
  maxWatches?: number | undefined
}
/** Handles that are open while a storage is watched. */
type Watching = {
  place: Place
  boundaries: ReturnType<typeof openBoundaries>
  watcher: Watcher
  walk: FirstWalk | undefined
}
type InFlight = { taken: TakenFolder[]; paths: string[]; oldestMs: number }

/**
 * Follows the changes of a storage: lists folders again that changed, and sends them. All times are milliseconds of the monotonic clock, which
 * the caller passes.
 */
export class Feed {
  readonly #options: Options
  readonly #changed = new ChangedFolders()
  readonly #paths = new PathsToList()
  #order: FileOrder
  #names: Names
  #watching: Watching | undefined
  #lister: Lister | undefined
  /** The folder that is followed since the session began; undefined if any is right. */
  #identity: string | undefined
  #nowMs = 0
  #sinceMs = Infinity
  #since = ''
  #reason: string | undefined
  #unavailable: string | undefined = texts.starting
  #lost: string | undefined
  #retryAtMs = -Infinity
  #lookAtMs = -Infinity
  #flushAtMs = -Infinity
  #delayMs = 0
  #number = 0
  #inFlight: InFlight | undefined
  /** The most by which the clock of the machine was ahead of the monotonic one: it may be set back while a scan runs. */
  #maxOffsetMs = -Infinity

  constructor(order: FileOrder, names: Names, options: Options) {
    this.#order = order
    this.#names = names
    this.#options = options
  }

  /** Starts another session. Folders that changed since its scan began are listed for it. */
  follow(order: FileOrder, names: Names): void {
    if (order.session === this.#order.session) return
    const hasSameRules = rulesOf(order) === rulesOf(this.#order)
    this.#order = order
    this.#names = names
    this.#number = this.#delayMs = 0
    this.#inFlight = undefined
    this.#flushAtMs = this.#retryAtMs = -Infinity
    this.#identity = undefined
    this.#paths.clear()
    if (!this.#watching) return
    if (!hasSameRules) return this.#restart(undefined)
    this.#identity = this.#watching.place.identity
    this.#lister = this.#newLister(this.#watching.boundaries)
    const isComplete = this.#changed.listSince(Date.parse(order.baseStartedAt) - this.#maxOffsetMs)
    if (isComplete) return
    this.#sinceMs = this.#nowMs
    this.#reason = texts.tooManyChanged
  }

  /** Does what is due. Takes up to a second if many folders changed. */
  tick(nowMs: number): void {
    this.#nowMs = nowMs
    this.#maxOffsetMs = Math.max(this.#maxOffsetMs, Date.now() - nowMs)
    try {
      if (!this.#watching && nowMs >= this.#retryAtMs) this.#start()
      this.drain()
      this.#look()
      if (this.#lost !== undefined) return this.#restart(this.#lost)
      if (this.#watching?.walk) return this.#walkOn(this.#watching.walk)
      this.#flush()
    } catch (error) {
      this.#fail(error)
    }
  }

  drain(): void {
    if (this.#lost === undefined) this.#watching?.watcher.drain()
  }

  /** The server's answer to the flush; undefined without one. */
  answered(session: string, answer: FlushAnswer | undefined): void {
    const inFlight = this.#inFlight
    if (!inFlight || session !== this.#order.session) return
    const { oldestMs: sinceMs } = inFlight
    this.#inFlight = undefined
    if (answer?.type === 'shown') {
      this.#delayMs = 0
      for (const path of answer.list) this.#paths.push({ path: path === '/' ? '' : path, isDeep: true, sinceMs })
      return
    }
    this.#delayMs = Math.min(Math.max(minDelayMs, this.#delayMs * 2), maxDelayMs)
    this.#flushAtMs = this.#nowMs + this.#delayMs
    this.#lister?.forget()
    for (const taken of inFlight.taken) this.#changed.putBack(taken)
    for (const path of inFlight.paths) this.#paths.push({ path, isDeep: false, sinceMs })
  }

  status(): FollowStatus {
    const { volumeId } = this.#order
    if (this.#unavailable !== undefined)
      return { volumeId, state: 'UNAVAILABLE', reason: this.#unavailable, since: null, behindMs: null }
    const oldestMs = Math.min(this.#changed.oldestMs(), this.#paths.oldestMs(), this.#inFlight?.oldestMs ?? Infinity)
    const behindMs = oldestMs === Infinity ? 0 : Math.max(0, this.#nowMs - oldestMs)
    return { volumeId, state: 'LIVE', reason: this.#reason ?? null, since: this.#sinceNow(), behindMs }
  }

  close(): void {
    this.#watching?.watcher.close()
    this.#watching?.place.close()
    this.#watching = undefined
  }

  /** The start by the current clock, which may have been set. */
  #sinceNow(): string {
    const sinceMs = this.#sinceMs + Date.now() - this.#nowMs
    const isSame = Math.abs(Date.parse(this.#since) - sinceMs) <= sinceToleranceMs
    if (!isSame) this.#since = new Date(sinceMs).toISOString()
    return this.#since
  }

  #newLister(boundaries: Watching['boundaries']): Lister {
    const { accounts, knownNames } = this.#names
    const owners = this.#order.withoutOwners ? nobody : ownersOf(accounts, { known: knownNames })
    return newLister({ order: this.#order, boundaries, owners, pulse: this.#options.pulse })
  }

  #start(): void {
    const { source, crossFileSystems } = this.#order
    if (this.#identity !== undefined && identityOf(source.path) !== this.#identity) {
      this.#retryAtMs = this.#nowMs + retryMissingEveryMs
      return
    }
    const place = openPlace(source.path)
    this.#lost = undefined
    try {
      const boundaries = openBoundaries(source.path, crossFileSystems)
      const lister = this.#newLister(boundaries)
      const seen = {
        folderChanged: (key: string) => this.#changed.add(key, this.#nowMs),
        lost: (reason: string) => void (this.#lost ??= reason),
      }
      const { way, maxWatches: max } = this.#options
      const leavesOut = (path: string) => lister.leavesOut(path)
      const watcher = openWatcher({ realRoot: place.realRoot, boundaries, leavesOut, seen, way, max })
      const walk = watcher.needsEachFolder ? new FirstWalk({ root: source.path, watcher, lister }) : undefined
      this.#lister = lister
      this.#identity = place.identity
      this.#watching = { place, boundaries, watcher, walk }
      this.#unavailable = texts.starting
      if (!walk) this.#isLive()
    } catch (error) {
      place.close()
      throw error
    }
  }

  #isLive(): void {
    this.#sinceMs = this.#nowMs
    this.#since = ''
    this.#unavailable = undefined
  }

  #walkOn(walk: FirstWalk): void {
    walk.step()
    if (!walk.isOver || !this.#watching) return
    if (walk.isTooMany) throw new NotFollowed(reasonOfTooMany(walk.folders, this.#options.maxWatches))
    this.#watching.walk = undefined
    this.#isLive()
  }

  /** Sees whether the storage is where it was. */
  #look(): void {
    if (!this.#watching || this.#nowMs < this.#lookAtMs) return
    this.#lookAtMs = this.#nowMs + lookEveryMs
    const { place, watcher } = this.#watching
    const now = place.check()
    if (now === 'replaced') throw new NotFollowed(texts.replaced)
    if (now === 'mounts' || !watcher.isWhole()) this.#lost ??= texts.mounts
  }

  /** Watches the storage again: what changed until now is unknown, for this reason. */
  #restart(reason: string | undefined): void {
    this.#reason = reason
    for (const key of [...this.#changed.waiting(), ...(this.#inFlight?.taken.map(({ key }) => key) ?? [])])
      for (const path of this.#watching?.watcher.pathsOf(key) ?? [])
        this.#paths.push({ path, isDeep: false, sinceMs: this.#nowMs })
    this.#changed.clear()
    this.close()
    this.#start()
  }

  /** The storage isn't followed until a later try. */
  #fail(error: unknown): void {
    const isKnown = error instanceof NotFollowed
    const isReplaced = isKnown && error.message === texts.replaced
    this.close()
    this.#changed.clear()
    this.#paths.clear()
    this.#unavailable = isKnown ? error.message : `The storage can't be followed: ${reasonOf(error)}`
    if (isReplaced) this.#reason = texts.wasReplaced
    this.#retryAtMs = this.#nowMs + (isKnown && !isReplaced ? retryEveryMs : retryMissingEveryMs)
  }

  #flush(): void {
    const watching = this.#watching
    if (!watching || !this.#lister || this.#inFlight || this.#nowMs < this.#flushAtMs) return
    if (this.#changed.isFull()) return this.#restart(texts.tooManyChanged)
    const { watcher, place } = watching
    const listing = new FlushListing({
      root: this.#order.source.path,
      identity: place.identity,
      watcher,
      lister: this.#lister,
      changed: this.#changed,
      paths: this.#paths,
    })
    try {
      const listed = listing.list(this.#nowMs)
      if (!listed) return
      this.#flushAtMs = this.#nowMs + flushEveryMs
      this.#inFlight = listed
      const { volumeId, session } = this.#order
      this.#options.send({ volumeId, session, number: ++this.#number, parts: listed.parts })
    } catch (error) {
      if (error instanceof TooManyFolders)
        throw new NotFollowed(reasonOfTooMany(watcher.folders(), this.#options.maxWatches))
      throw error
    }
  }
}

const rulesOf = ({ source, ignoredPaths, indexFolderOnlyPaths, crossFileSystems }: FileOrder): string =>
  JSON.stringify([source.path, ignoredPaths, indexFolderOnlyPaths, crossFileSystems])
