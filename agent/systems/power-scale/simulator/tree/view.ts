import { type Inode, linksOf } from './inodes.ts'
import type { Name } from './names.ts'

const pageBits = 8
const pageMask = (1 << pageBits) - 1

type Page = { readonly generation: number; readonly inodes: (Inode | undefined)[] }

/** A file system at one moment. Views share pages of inodes; the tree copies a page before it changes one that a view may hold. */
export class TreeView {
  protected pages: Page[]

  constructor(pages: Page[]) {
    this.pages = pages
  }

  get(index: number): Inode | undefined {
    return this.pages[index >> pageBits]?.inodes[index & pageMask]
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
    const count = Math.max(this.pages.length, newer.pages.length)
    for (let number = 0; number < count; number++) {
      const [before, after] = [this.pages[number], newer.pages[number]]
      if (before === after) continue
      for (let at = 0; at <= pageMask; at++) {
        const [old, current] = [before?.inodes[at], after?.inodes[at]]
        if (old !== current) visit(old, current)
      }
    }
  }
}

/** A view that changes. `freeze` returns the current state as a view, at the cost of one pointer for each 256 inodes. */
export class WritableView extends TreeView {
  #generation = 0
  /** Number of inodes that were ever made. Their indexes are below it. */
  inodeCount = 0

  constructor() {
    super([])
  }

  freeze(): TreeView {
    this.#generation++
    return new TreeView([...this.pages])
  }

  /** Stores a new inode. */
  protected insert(inode: Omit<Inode, 'index' | 'generation'>): Inode {
    const index = this.inodeCount++
    const inserted: Inode = { index, ...inode, generation: this.#generation }
    this.#pageOf(index)[index & pageMask] = inserted
    return inserted
  }

  /** Returns the inode to change: itself, or a copy where a view may hold it. */
  protected change(index: number): Inode {
    const inode = this.get(index)
    if (inode === undefined) throw new Error(`No inode ${index}`)
    if (inode.generation === this.#generation) return inode
    const copy: Inode = { ...inode, children: inode.children?.copy(), generation: this.#generation }
    this.#pageOf(index)[index & pageMask] = copy
    return copy
  }

  protected erase(index: number): void {
    this.#pageOf(index)[index & pageMask] = undefined
  }

  /** Checks that links and directories agree. For tests. */
  check(): void {
    for (let index = 0; index < this.inodeCount; index++) {
      const inode = this.get(index)
      if (inode === undefined) continue
      for (const { parent, name } of linksOf(inode)) {
        const found = index === 0 ? 0 : this.get(parent)?.children?.get(name)
        if (found !== index) throw new Error(`${this.pathOf(inode)} is not in its directory`)
      }
    }
  }

  #pageOf(index: number): (Inode | undefined)[] {
    const number = index >> pageBits
    const page = this.pages[number]
    if (page?.generation === this.#generation) return page.inodes
    const inodes = page ? [...page.inodes] : []
    this.pages[number] = { generation: this.#generation, inodes }
    return inodes
  }
}
