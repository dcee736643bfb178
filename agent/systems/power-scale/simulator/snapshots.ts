import { refused } from './answers.ts'
import type { Clock } from './clock.ts'
import { namesOf, textOf } from './tree/names.ts'
import type { Tree } from './tree/tree.ts'
import type { TreeView } from './tree/view.ts'

export type Snapshot = {
  id: number
  name: string
  path: string
  /** Times are in seconds since 1970. */
  created: number
  expires: number | undefined
  /** The whole file system. Only the entries below `path`, and the directories above it, are visible. */
  view: TreeView
}

/** Snapshots of the tree, until they expire. Each costs little: it shares all entries that do not change. */
export class Snapshots {
  readonly #tree: Tree
  readonly #clock: Clock
  #snapshots: Snapshot[] = []
  #nextId = 10

  constructor(tree: Tree, clock: Clock) {
    this.#tree = tree
    this.#clock = clock
  }

  all(): readonly Snapshot[] {
    const now = this.#clock.now()
    return (this.#snapshots = this.#snapshots.filter(({ expires = Infinity }) => now < expires))
  }

  create({ name, path, expires }: { name: string; path: string; expires?: number | undefined }): Snapshot {
    if (this.find(name)) throw refused('AEC_CONFLICT', `Snapshot '${name}' already exists.`, 'name')
    if (this.#tree.find(path)?.kind !== 'directory')
      throw refused('AEC_NOT_FOUND', `Path '${path}' not found: No such file or directory`, 'path')
    this.#checkExpires(expires)
    const shownPath = `/${namesOf(path).map(textOf).join('/')}`
    const facts = { name, path: shownPath, created: this.#clock.now(), expires, view: this.#tree.freeze() }
    const snapshot = { id: this.#nextId, ...facts }
    this.#nextId += 2
    this.#snapshots.push(snapshot)
    return snapshot
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

  setExpires(snapshot: Snapshot, expires: number): void {
    this.#checkExpires(expires)
    snapshot.expires = expires
  }

  delete(snapshot: Snapshot): void {
    this.#snapshots = this.#snapshots.filter((other) => other !== snapshot)
  }

  #checkExpires(expires: number | undefined): void {
    if (expires !== undefined && expires <= this.#clock.now())
      throw refused('AEC_BAD_REQUEST', 'The expiration time is in the past.', 'expires')
  }
}
