import type { Inode } from './inodes.ts'
import type { Name } from './names.ts'

/** A file system at one moment. Views share inodes; the tree copies an inode before it changes one that a view may hold. */
export class TreeView {
  protected readonly inodes: (Inode | undefined)[]

  constructor(inodes: (Inode | undefined)[]) {
    this.inodes = inodes
  }

  get(index: number): Inode | undefined {
    return this.inodes[index]
  }

  /** The directory /ifs. */
  get root(): Inode {
    return this.get(0) as Inode
  }

  /** Finds an entry by the names below /ifs. */
  follow(names: readonly Name[]): Inode | undefined {
    let inode: Inode | undefined = this.root
    for (const name of names) {
      const index: number | undefined = inode?.children?.get(name)
      inode = index === undefined ? undefined : this.get(index)
    }
    return inode
  }

  /** Path of an inode's first link, such as /ifs/data. */
  pathOf(inode: Inode): Name {
    const names: Name[] = []
    for (let at: Inode | undefined = inode; at && at.index !== 0; at = this.get(at.parent)) names.push(at.name)
    return ['/ifs', ...names.toReversed()].join('/')
  }

  isBelow(inode: Inode | undefined, ancestor: number): boolean {
    for (let at = inode; at; at = this.get(at.parent)) if (at.index === ancestor) return true
    return false
  }

  /** Calls `visit` for the inodes that differ between two views, in the order of their index. */
  differences(newer: TreeView, visit: (old: Inode | undefined, current: Inode | undefined) => void): void {
    for (let index = 0; index < Math.max(this.inodes.length, newer.inodes.length); index++) {
      const [old, current] = [this.get(index), newer.get(index)]
      if (old !== current) visit(old, current)
    }
  }
}
