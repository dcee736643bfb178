import type { FlushAnswer } from '#events/feeds/flushes.ts'
import type { FollowStatus } from '#events/feeds/follow.ts'
import { ownersOf, nobody } from '../systems/local/owners.ts'
import { openBoundaries } from '../systems/local/boundaries.ts'
import { reason as reasonOf } from '../systems/local/failures.ts'
import { FirstWalk } from './firstWalk.ts'
import { FlushListing } from './flushListing.ts'
import { type Lister, newLister } from './lister.ts'
import type { Feed, FileOrder, Flush, Names } from './messages.ts'
import { Outbox } from './outbox.ts'
import { identityOf, openPlace, type Place } from './place.ts'
import { openWatcher, reasonOfTooMany, type WayToWatch } from './watchers/openWatcher.ts'
import { NotFollowed, TooManyFolders, type Watcher } from './watchers/watcher.ts'

/** Milliseconds between looks at mounts, and between tries to follow a storage that can't be followed. */
const lookEveryMs = 1_000
const retryEveryMs = 10 * 60_000
const retryMissingEveryMs = 5_000

const texts = {
  replaced: 'The folder of the storage was unmounted or replaced. Its changes are followed again after its next scan.',
  wasReplaced: 'The folder of the storage was unmounted or replaced for some time',
  mounts: 'A file system in the storage was mounted or unmounted',
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

/** Follows a folder of this machine. */
export class FolderFeed implements Feed<FileOrder> {
  readonly #options: Options
  readonly #outbox: Outbox<FileOrder>
  #names: Names
  #watching: Watching | undefined
  #lister: Lister | undefined
  /** The folder that is followed since the session began; undefined if any is right. */
  #identity: string | undefined
  #lost: string | undefined
  #retryAtMs = -Infinity
  #lookAtMs = -Infinity

  constructor(order: FileOrder, names: Names, options: Options) {
    this.#outbox = new Outbox(order, options.send)
    this.#names = names
    this.#options = options
  }

  /** Starts another session. Folders that changed since its scan began are listed for it. */
  follow(order: FileOrder, names: Names): void {
    const before = this.#outbox.order
    if (order.session === before.session) return
    this.#outbox.begin(order)
    this.#names = names
    this.#retryAtMs = -Infinity
    this.#identity = undefined
    if (!this.#watching) return
    if (rulesOf(order) !== rulesOf(before)) return this.#restart(undefined)
    this.#identity = this.#watching.place.identity
    this.#lister = this.#newLister(this.#watching.boundaries)
    this.#outbox.listSinceScan()
  }

  /** Does what is due. Takes up to a second if many folders changed. */
  tick(nowMs: number): void {
    this.#outbox.tick(nowMs)
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

  answered(session: string, answer: FlushAnswer | undefined): void {
    if (this.#outbox.answered(session, answer) === false) this.#lister?.forget()
  }

  status(): FollowStatus {
    return this.#outbox.status()
  }

  close(): void {
    this.#watching?.watcher.close()
    this.#watching?.place.close()
    this.#watching = undefined
  }

  #newLister(boundaries: Watching['boundaries']): Lister {
    const { accounts, knownNames } = this.#names
    const owners = this.#outbox.order.withoutOwners ? nobody : ownersOf(accounts, { known: knownNames })
    return newLister({ order: this.#outbox.order, boundaries, owners, pulse: this.#options.pulse })
  }

  #start(): void {
    const { source, crossFileSystems } = this.#outbox.order
    if (this.#identity !== undefined && identityOf(source.path) !== this.#identity) {
      this.#retryAtMs = this.#outbox.nowMs + retryMissingEveryMs
      return
    }
    const place = openPlace(source.path)
    this.#lost = undefined
    try {
      const boundaries = openBoundaries(source.path, crossFileSystems)
      const lister = this.#newLister(boundaries)
      const seen = {
        folderChanged: (key: string) => this.#outbox.changed.add(key, this.#outbox.nowMs),
        lost: (reason: string) => void (this.#lost ??= reason),
      }
      const { way, maxWatches: max } = this.#options
      const leavesOut = (path: string) => lister.leavesOut(path)
      const watcher = openWatcher({ realRoot: place.realRoot, boundaries, leavesOut, seen, way, max })
      const walk = watcher.needsEachFolder ? new FirstWalk({ root: source.path, watcher, lister }) : undefined
      this.#lister = lister
      this.#identity = place.identity
      this.#watching = { place, boundaries, watcher, walk }
      this.#outbox.isStarting()
      if (!walk) this.#outbox.isLive()
    } catch (error) {
      place.close()
      throw error
    }
  }

  #walkOn(walk: FirstWalk): void {
    walk.step()
    if (!walk.isOver || !this.#watching) return
    if (walk.isTooMany) throw new NotFollowed(reasonOfTooMany(walk.folders, this.#options.maxWatches))
    this.#watching.walk = undefined
    this.#outbox.isLive()
  }

  /** Sees whether the storage is where it was. */
  #look(): void {
    if (!this.#watching || this.#outbox.nowMs < this.#lookAtMs) return
    this.#lookAtMs = this.#outbox.nowMs + lookEveryMs
    const { place, watcher } = this.#watching
    const now = place.check()
    if (now === 'replaced') throw new NotFollowed(texts.replaced)
    if (now === 'mounts' || !watcher.isWhole()) this.#lost ??= texts.mounts
  }

  /** Watches the storage again: what changed until now is unknown, for this reason. */
  #restart(reason: string | undefined): void {
    this.#outbox.reason = reason
    for (const key of this.#outbox.unshown())
      for (const path of this.#watching?.watcher.pathsOf(key) ?? [])
        this.#outbox.paths.push({ path, isDeep: false, sinceMs: this.#outbox.nowMs })
    this.#outbox.changed.clear()
    this.close()
    this.#start()
  }

  /** The storage isn't followed until a later try. */
  #fail(error: unknown): void {
    const isKnown = error instanceof NotFollowed
    const isReplaced = isKnown && error.message === texts.replaced
    this.close()
    this.#outbox.changed.clear()
    this.#outbox.paths.clear()
    this.#outbox.unavailable = isKnown ? error.message : `The storage can't be followed: ${reasonOf(error)}`
    if (isReplaced) this.#outbox.reason = texts.wasReplaced
    this.#retryAtMs = this.#outbox.nowMs + (isKnown && !isReplaced ? retryEveryMs : retryMissingEveryMs)
  }

  #flush(): void {
    const watching = this.#watching
    if (!watching || !this.#lister || !this.#outbox.isDue()) return
    if (this.#outbox.isFull) return this.#restart(this.#outbox.isFull)
    const { watcher, place } = watching
    const { order, changed, paths, nowMs } = this.#outbox
    const { path: root } = order.source
    const { identity } = place
    const listing = new FlushListing({ root, identity, watcher, lister: this.#lister, changed, paths })
    try {
      const listed = listing.list(nowMs)
      if (listed) this.#outbox.post(listed)
    } catch (error) {
      if (error instanceof TooManyFolders)
        throw new NotFollowed(reasonOfTooMany(watcher.folders(), this.#options.maxWatches))
      throw error
    }
  }
}

const rulesOf = ({ source, ignoredPaths, indexFolderOnlyPaths, crossFileSystems }: FileOrder): string =>
  JSON.stringify([source.path, ignoredPaths, indexFolderOnlyPaths, crossFileSystems])
