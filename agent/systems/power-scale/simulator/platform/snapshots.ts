import type { Clock } from '../clock.ts'
import { refused } from '../errors.ts'
import type { Switches } from '../switches.ts'
import { nameOf, namesOf, textOf } from '../tree/names.ts'
import type { Tree } from '../tree/tree.ts'
import type { TreeView } from '../tree/view.ts'

export type Snapshot = {
  id: number
  /** Undefined while the snapshot is being deleted. */
  name: string | undefined
  path: string
  /** Times are in seconds since 1970. */
  created: number
  expires: number | undefined
  deletedAt: number | undefined
  /** Comments of the locks that prevent a deletion. */
  locks: { id: number; comment: string }[]
  /** The whole file system. Only the entries below `path`, and the directories above it, are visible. */
  view: TreeView
  /** An alias has the id and the name of another snapshot, or `live`. */
  target: { id: number; name: string } | 'live' | undefined
}

/** Snapshots of the tree. Each costs little: it shares all entries that do not change. */
export class Snapshots {
  readonly #tree: Tree
  readonly #clock: Clock
  readonly #switches: Switches
  #snapshots: Snapshot[] = []
  #nextId = 10

  constructor(tree: Tree, clock: Clock, switches: Switches) {
    this.#tree = tree
    this.#clock = clock
    this.#switches = switches
  }

  all(): readonly Snapshot[] {
    this.#settle()
    return this.#snapshots
  }

  create({ name, path, expires }: { name: string; path: string; expires?: number | undefined }): Snapshot {
    if (this.all().some((other) => other.name === name))
      throw refused('AEC_CONFLICT', `Snapshot '${name}' already exists.`, 'name')
    if (name === '' || name.includes('/')) throw refused('AEC_BAD_REQUEST', 'Invalid snapshot name.', 'name')
    if (this.#tree.find(path)?.kind !== 'directory')
      throw refused('AEC_NOT_FOUND', `Path '${path}' not found: No such file or directory`, 'path')
    this.#checkExpires(expires)
    const created = this.#clock.now()
    const plain = { created, expires, deletedAt: undefined, locks: [], target: undefined }
    return this.#add({ ...plain, name, path: `/${namesOf(path).map(textOf).join('/')}`, view: this.#tree.freeze() })
  }

  /** Adds an alias of a snapshot, or of the live file system. */
  addAlias(name: string, target: Snapshot | 'live'): Snapshot {
    const { view, path } = target === 'live' ? { view: this.#tree, path: '/ifs' } : target
    const named = target === 'live' ? target : { id: target.id, name: target.name ?? '' }
    const plain = { created: this.#clock.now(), expires: undefined, deletedAt: undefined, locks: [] }
    return this.#add({ ...plain, name, path, view, target: named })
  }

  /** Prevents the deletion of a snapshot until `unlock`. */
  lock(id: number, comment = ''): void {
    const { locks } = this.get(String(id))
    locks.push({ id: locks.length + 1, comment })
  }

  unlock(id: number): void {
    this.get(String(id)).locks = []
  }

  /** Finds a snapshot by its id or name. */
  find(idOrName: string): Snapshot | undefined {
    return this.all().find(({ id, name }) => String(id) === idOrName || name === idOrName)
  }

  get(idOrName: string): Snapshot {
    const snapshot = this.find(idOrName)
    if (snapshot === undefined) throw refused('AEC_NOT_FOUND', `Snapshot '${idOrName}' not found.`)
    return snapshot
  }

  /** A snapshot that is not being deleted. */
  findActive(id: number): Snapshot | undefined {
    return this.all().find((snapshot) => snapshot.id === id && snapshot.deletedAt === undefined)
  }

  setExpires(snapshot: Snapshot, expires: number): void {
    this.#checkExpires(expires)
    snapshot.expires = expires
  }

  delete(snapshot: Snapshot): void {
    if (snapshot.locks.length > 0) throw refused('AEC_CONFLICT', `Snapshot ${snapshot.id} is locked.`)
    snapshot.deletedAt ??= this.#clock.now()
    snapshot.name = undefined
    this.#settle()
  }

  #add(snapshot: Omit<Snapshot, 'id'>): Snapshot {
    const added = { id: this.#nextId, ...snapshot }
    this.#nextId += 2
    this.#snapshots.push(added)
    return added
  }

  #checkExpires(expires: number | undefined): void {
    if (expires !== undefined && expires <= this.#clock.now())
      throw refused('AEC_BAD_REQUEST', 'The expiration time is in the past.', 'expires')
  }

  /** Starts to delete expired snapshots without a lock, and forgets those whose deletion is over. */
  #settle(): void {
    const now = this.#clock.now()
    for (const snapshot of this.#snapshots) {
      const { expires = Infinity, locks } = snapshot
      if (snapshot.deletedAt !== undefined || now < expires || locks.length > 0) continue
      snapshot.deletedAt = expires
      snapshot.name = undefined
    }
    const isKept = ({ deletedAt = Infinity }: Snapshot) => now < deletedAt + this.#switches.deletingTime
    if (!this.#snapshots.every(isKept)) this.#snapshots = this.#snapshots.filter(isKept)
  }
}

/** Returns the snapshot that a path below `/ifs/.snapshot` names, and the names below the snapshot. */
export function snapshotOfPath(snapshots: Snapshots, names: readonly string[]) {
  const [name, ...below] = names
  const snapshot = snapshots.all().find((snapshot) => snapshot.name !== undefined && nameOf(snapshot.name) === name)
  return snapshot && { snapshot, below }
}
