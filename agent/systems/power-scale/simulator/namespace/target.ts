import type { Cluster } from '../cluster.ts'
import { refused } from '../errors.ts'
import { snapshotOfPath } from '../platform/snapshots.ts'
import type { User } from '../sessions.ts'
import type { Inode } from '../tree/inodes.ts'
import { type Name, namesOf, textOf } from '../tree/names.ts'
import type { TreeView } from '../tree/view.ts'

/** The entry that an address names, in the live tree or in a snapshot. */
export type Target = {
  view: TreeView
  inode: Inode
  /** Path of the view's root: `/ifs` or `/ifs/.snapshot/name`. */
  prefix: Name
  /** The visible child of each directory above the path of the snapshot. */
  onlyChildren: ReadonlyMap<number, Name>
}

/** Finds the entry at a path from `/ifs`, or returns `snapshots` for the directory of all snapshots. */
export function findTarget({ tree, snapshots }: Cluster, path: Name, user: User): Target | 'snapshots' {
  const [first, ...names] = namesOf(Buffer.from(path, 'latin1'))
  if (first !== 'ifs') throw refused('AEC_NOT_FOUND', `Unable to open the store '${textOf(first ?? '')}'`)
  if (names[0] !== '.snapshot') return inView(tree, names, user, '/ifs', [])
  if (names.length === 1) return 'snapshots'
  const found = snapshotOfPath(snapshots, names.slice(1))
  if (found === undefined) throw notFound(path)
  const { snapshot, below } = found
  return inView(snapshot.view, below, user, `/ifs/.snapshot/${names[1]}`, namesOf(snapshot.path).slice(1))
}

function inView(view: TreeView, names: readonly Name[], user: User, prefix: Name, root: readonly Name[]): Target {
  const path = [prefix, ...names].join('/')
  if (names.some((name, i) => i < root.length && name !== root[i])) throw notFound(path)
  for (let depth = 0; depth <= names.length; depth++) {
    const inode = view.follow(names.slice(0, depth))
    if (inode === undefined) throw notFound(path)
    if (!mayEnter(inode, user)) throw refused('AEC_FORBIDDEN', `Unable to open '${textOf(path)}' -- Permission denied`)
  }
  const above = root.map((name, depth) => [view.follow(root.slice(0, depth))?.index ?? -1, name] as const)
  return { view, inode: view.follow(names) as Inode, prefix, onlyChildren: new Map(above) }
}

/** The ACL of a closed directory stops users who can't traverse all directories. */
export const mayEnter = ({ rare }: Inode, { without }: User): boolean =>
  !rare?.isClosed || !without?.includes('ISI_PRIV_NS_TRAVERSE')

const notFound = (path: Name) =>
  refused('AEC_NOT_FOUND', `Unable to open object '${textOf(path)}' in store 'ifs' -- No such file or directory.`)
