import { compareLins, type Inode } from './tree/inodes.ts'
import type { Name } from './tree/names.ts'
import type { TreeView } from './tree/view.ts'
import { type Place, TreeSide } from './treeSide.ts'

type Flag =
  | 'ENTRY_ADDED'
  | 'ENTRY_REMOVED'
  | 'ENTRY_MODIFIED'
  | 'ENTRY_PATH_CHANGED'
  | 'ENTRY_PARENT_REMOVED'
  | 'ENTRY_HAS_HARDLINKS'

/** An entry of a changelist. `path` is relative to the root, with a slash in front; the root's is empty. */
export type Entry = {
  index: number
  inode: Inode
  parent: number
  path: Name
  isRemoved: boolean
  /** Number of the link, from 0, where a file has several. */
  ordinal: number
  flags: Flag[]
}

type Options = { hardLinks: 'once' | 'each'; movedAcrossRoot: 'directory' | 'subtree' }

/** Compares two views of a root directory by inode. Entries are in the order of their ids: removals come last. */
export function compareTrees(older: TreeView, newer: TreeView, root: readonly Name[], options: Options): Entry[] {
  const comparison = new Comparison(new TreeSide(older, root), new TreeSide(newer, root), options)
  older.differences(newer, (old, current) => comparison.add(old, current))
  return comparison.entries.sort(compareEntries)
}

class Comparison {
  readonly entries: Entry[] = []
  readonly #before: TreeSide
  readonly #after: TreeSide
  readonly #options: Options

  constructor(before: TreeSide, after: TreeSide, options: Options) {
    this.#before = before
    this.#after = after
    this.#options = options
  }

  /** Adds the entries of an inode that differs. */
  add(old: Inode | undefined, current: Inode | undefined): void {
    const [oldPlaces, places] = [this.#before.placesOf(old), this.#after.placesOf(current)]
    const removed = oldPlaces.filter((place) => !places.some((other) => isSame(place, other)))
    const added = places.filter((place) => !oldPlaces.some((other) => isSame(place, other)))
    const kept = places.filter((place) => !added.includes(place))
    const isMoved = removed.length > 0 && added.length > 0
    if (old) for (const [i, place] of removed.entries()) this.#emit(old, place, i, this.#flagsOfRemoved(place, isMoved))
    if (current === undefined) return
    const reported = this.#options.hardLinks === 'each' ? kept : kept.slice(0, 1)
    for (const [i, place] of reported.entries()) this.#emit(current, place, i, ['ENTRY_MODIFIED'])
    const flags: Flag[] = isMoved ? ['ENTRY_ADDED', 'ENTRY_PATH_CHANGED'] : ['ENTRY_ADDED']
    if (isMoved && old && isModified(old, current)) flags.push('ENTRY_MODIFIED')
    for (const [i, place] of added.entries()) this.#emit(current, place, kept.length + i, flags)
    if (this.#options.movedAcrossRoot === 'subtree') this.#addSubtree(old, current)
  }

  #flagsOfRemoved({ parent, path }: Place, isMoved: boolean): Flag[] {
    if (isMoved) return ['ENTRY_REMOVED', 'ENTRY_PATH_CHANGED']
    return path === '' || this.#after.holds(parent) ? ['ENTRY_REMOVED'] : ['ENTRY_REMOVED', 'ENTRY_PARENT_REMOVED']
  }

  /** Adds the unchanged entries below a directory that moved into or out of the root. */
  #addSubtree(old: Inode | undefined, current: Inode): void {
    if (old?.children === undefined) return
    const [wasInside, isInside] = [this.#before.holds(old.index), this.#after.holds(current.index)]
    if (wasInside === isInside) return
    const [side, other] = wasInside ? [this.#before, this.#after] : [this.#after, this.#before]
    const isUnchanged = (inode: Inode) => other.get(inode.index) === inode
    for (const { inode, place } of side.below(wasInside ? old : current, isUnchanged))
      this.#emit(inode, place, 0, wasInside ? ['ENTRY_REMOVED', 'ENTRY_PARENT_REMOVED'] : ['ENTRY_ADDED'])
  }

  #emit(inode: Inode, { parent, path }: Place, ordinal: number, changes: readonly Flag[]): void {
    const isRemoved = changes.includes('ENTRY_REMOVED')
    const flags: Flag[] = inode.links ? [...changes, 'ENTRY_HAS_HARDLINKS'] : [...changes]
    this.entries.push({ index: inode.index, inode, parent, path, isRemoved, ordinal, flags })
  }
}

const isSame = (a: Place, b: Place): boolean =>
  (a.path === '' && b.path === '') || (a.parent === b.parent && a.name === b.name)

/** Tells whether an entry has changed in more than its place. A move alone changes `ctime`. */
const isModified = (old: Inode, current: Inode): boolean =>
  (['size', 'uid', 'gid', 'mode', 'mtime', 'atime'] as const).some((fact) => old[fact] !== current[fact])

const compareEntries = (a: Entry, b: Entry): number =>
  Number(a.isRemoved) - Number(b.isRemoved) || compareLins(a.index, b.index) || a.ordinal - b.ordinal
