import { refused } from './answers.ts'
import type { Clock } from '#agent/simulator/clock.ts'
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

export type Snapshots = ReturnType<typeof newSnapshots>

/** Snapshots of the tree, until they expire. Each costs little: it shares all entries that do not change. */
export function newSnapshots(tree: Tree, clock: Clock) {
  let snapshots: Snapshot[] = []
  let nextId = 10
  const all = (): readonly Snapshot[] => {
    const now = clock.now()
    return (snapshots = snapshots.filter(({ expires = Infinity }) => now < expires))
  }
  /** Finds a snapshot by its id or name. */
  const find = (idOrName: string) => all().find(({ id, name }) => String(id) === idOrName || name === idOrName)
  const checkExpires = (expires: number | undefined) => {
    if (expires !== undefined && expires <= clock.now())
      throw refused('AEC_BAD_REQUEST', 'The expiration time is in the past.', 'expires')
  }
  return {
    all,
    find,
    get(idOrName: string): Snapshot {
      const snapshot = find(idOrName)
      if (snapshot === undefined) throw refused('AEC_NOT_FOUND', `Snapshot '${idOrName}' not found.`)
      return snapshot
    },
    create({ name, path, expires }: { name: string; path: string; expires?: number | undefined }): Snapshot {
      if (find(name)) throw refused('AEC_CONFLICT', `Snapshot '${name}' already exists.`, 'name')
      if (tree.find(path)?.kind !== 'directory')
        throw refused('AEC_NOT_FOUND', `Path '${path}' not found: No such file or directory`, 'path')
      checkExpires(expires)
      const shownPath = `/${namesOf(path).map(textOf).join('/')}`
      const snapshot = { id: nextId, name, path: shownPath, created: clock.now(), expires, view: tree.freeze() }
      nextId += 2
      snapshots.push(snapshot)
      return snapshot
    },
    setExpires(snapshot: Snapshot, expires: number): void {
      checkExpires(expires)
      snapshot.expires = expires
    },
    delete: (snapshot: Snapshot) => void (snapshots = snapshots.filter((other) => other !== snapshot)),
  }
}
