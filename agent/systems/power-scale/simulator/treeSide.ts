import { type Inode, type Link, linksOf } from './tree/inodes.ts'
import type { Name } from './tree/names.ts'
import type { TreeView } from './tree/view.ts'

/** A link of an inode. `path` is relative to the root, with a slash in front; the root's is empty. */
export type Place = Link & { path: Name }

/** Places below the root of a changelist, in one of its two snapshots. Keeps the path of each directory that it has met. */
export class TreeSide {
  readonly #view: TreeView
  readonly #root: Inode | undefined
  readonly #paths = new Map<number, Name | undefined>()

  constructor(view: TreeView, root: readonly Name[]) {
    this.#view = view
    this.#root = view.follow(root)
    this.#paths.set(-1, undefined)
    this.#paths.set(this.#root?.index ?? -1, this.#root && '')
  }

  /** Tells whether a directory is the root or below it. */
  holds(directory: number): boolean {
    return this.#pathOf(directory) !== undefined
  }

  /** Links of an inode below the root. */
  placesOf(inode: Inode | undefined): Place[] {
    if (inode === undefined) return []
    if (inode === this.#root) return [{ parent: inode.parent, name: inode.name, path: '' }]
    return linksOf(inode).flatMap((link) => {
      const path = this.#pathOf(link.parent)
      return path === undefined ? [] : [{ ...link, path: `${path}/${link.name}` }]
    })
  }

  /** Entries below a directory. Those that are not accepted are left out, with all below them. */
  *below(directory: Inode, accepts: (inode: Inode) => boolean): Generator<{ inode: Inode; place: Place }> {
    for (const [name, index] of directory.children?.list() ?? []) {
      const inode = this.#view.get(index)
      if (inode === undefined || !accepts(inode)) continue
      yield { inode, place: { parent: directory.index, name, path: `${this.#pathOf(directory.index)}/${name}` } }
      yield* this.below(inode, accepts)
    }
  }

  get(index: number): Inode | undefined {
    return this.#view.get(index)
  }

  #pathOf(directory: number): Name | undefined {
    if (this.#paths.has(directory)) return this.#paths.get(directory)
    const inode = this.#view.get(directory)
    const above = inode && this.#pathOf(inode.parent)
    const path = above === undefined ? undefined : `${above}/${inode?.name}`
    this.#paths.set(directory, path)
    return path
  }
}
