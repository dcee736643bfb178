import type { Clock } from '#agent/simulator/clock.ts'
import { Children, type Inode, type Kind, type Link, linksOf } from './inodes.ts'
import { type Name, textOf } from './names.ts'
import { TreeView } from './view.ts'

/** Facts of a new entry. Times are the clock's where none are given. */
export type Facts = Partial<
  Pick<Inode, 'kind' | 'size' | 'uid' | 'gid' | 'mode' | 'mtime' | 'atime' | 'ctime' | 'btime'>
>

/** Facts that can change. */
type ChangedFacts = Omit<Facts, 'kind' | 'ctime' | 'btime'>

/** A file system that changes, by the inodes of entries and directories. Each change also changes the times that a file system would. */
export class Entries extends TreeView {
  readonly clock: Clock
  #generation = 0

  constructor(clock: Clock) {
    super([])
    this.clock = clock
    this.#insert(-1, 'ifs', { kind: 'directory' })
  }

  /** Number of inodes that were ever made. Their indexes are below it. */
  get inodeCount(): number {
    return this.inodes.length
  }

  /** Returns the current state as a view, at the cost of one pointer for each inode. */
  freeze(): TreeView {
    this.#generation++
    return new TreeView([...this.inodes])
  }

  addAt(parent: number, name: Name, facts: Facts = {}): Inode {
    this.#checkFree({ parent, name })
    const inode = this.#insert(parent, name, facts)
    this.#childrenToChange(parent).set(name, inode.index)
    return inode
  }

  setAt(index: number, facts: ChangedFacts): void {
    Object.assign(this.#change(index), facts, { ctime: this.clock.now() })
  }

  /** Renames or moves one link of an entry. */
  moveAt(index: number, from: Link, to: Link): void {
    this.#checkFree(to)
    if (this.isBelow(this.get(to.parent), index)) throw new Error(`${textOf(from.name)} can't be moved below itself`)
    const links = linksOf(this.get(index) as Inode).map((link) => (isSame(link, from) ? to : link))
    this.#childrenToChange(from.parent).delete(from.name)
    this.#childrenToChange(to.parent).set(to.name, index)
    this.#setLinks(index, links)
  }

  linkAt(index: number, to: Link): void {
    this.#checkFree(to)
    if (this.get(index)?.kind === 'directory') throw new Error('A directory has no hard links')
    this.#childrenToChange(to.parent).set(to.name, index)
    this.#setLinks(index, [...linksOf(this.get(index) as Inode), to])
  }

  /** Removes a link, and all entries below a directory. Other hard links of a file stay. */
  removeAt(index: number, link: Link): void {
    for (const [name, child] of this.get(index)?.children?.list() ?? []) this.removeAt(child, { parent: index, name })
    const left = linksOf(this.get(index) as Inode).filter((other) => !isSame(other, link))
    this.#childrenToChange(link.parent).delete(link.name)
    if (left.length === 0) this.inodes[index] = undefined
    else this.#setLinks(index, left)
  }

  #checkFree({ parent, name }: Link): void {
    if (this.get(parent)?.children?.get(name) !== undefined) throw new Error(`${textOf(name)} exists already`)
  }

  #setLinks(index: number, [first, ...others]: Link[]): void {
    const links = others.length > 0 ? others : undefined
    Object.assign(this.#change(index), first, { links, ctime: this.clock.now() })
  }

  #childrenToChange(index: number): Children {
    const directory = this.#change(index)
    if (directory.children === undefined) throw new Error(`${textOf(this.pathOf(directory))} is no directory`)
    directory.mtime = this.clock.now()
    directory.ctime = directory.mtime
    return directory.children
  }

  /** Returns the inode to change: itself, or a copy where a view may hold it. */
  #change(index: number): Inode {
    const inode = this.get(index)
    if (inode === undefined) throw new Error(`No inode ${index}`)
    if (inode.generation === this.#generation) return inode
    return (this.inodes[index] = { ...inode, children: inode.children?.copy(), generation: this.#generation })
  }

  #insert(parent: number, name: Name, facts: Facts): Inode {
    const now = this.clock.now()
    const kind: Kind = facts.kind ?? 'file'
    const inode: Inode = {
      index: this.inodes.length,
      kind,
      parent,
      name,
      size: 0,
      uid: 1_001,
      gid: 100,
      mode: kind === 'directory' ? 0o755 : 0o644,
      mtime: now,
      atime: now,
      ctime: now,
      btime: now,
      ...facts,
      children: kind === 'directory' ? new Children() : undefined,
      links: undefined,
      generation: this.#generation,
    }
    this.inodes.push(inode)
    return inode
  }

  /** Checks that links and directories agree. For tests. */
  check(): void {
    for (const inode of this.inodes)
      for (const { parent, name } of inode ? linksOf(inode) : []) {
        const found = parent < 0 ? 0 : this.get(parent)?.children?.get(name)
        if (found !== inode?.index) throw new Error(`${name} is not in its directory`)
      }
  }
}

const isSame = (a: Link, b: Link): boolean => a.parent === b.parent && a.name === b.name
