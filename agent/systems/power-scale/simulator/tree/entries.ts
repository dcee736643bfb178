import type { Clock } from '../clock.ts'
import { Children, type Inode, type Kind, type Link, linksOf } from './inodes.ts'
import { type Name, textOf } from './names.ts'
import { WritableView } from './view.ts'

/** Facts of a new entry. Times are the clock's where none are given. */
export type Facts = Partial<
  Pick<Inode, 'kind' | 'size' | 'uid' | 'gid' | 'mode' | 'mtime' | 'atime' | 'ctime' | 'btime'>
>

/** Facts that can change. */
type ChangedFacts = Omit<Facts, 'kind' | 'ctime' | 'btime'>

/** Changes of a file system by the inodes of entries and directories. Each also changes the times that a file system would. */
export class Entries extends WritableView {
  readonly clock: Clock

  constructor(clock: Clock) {
    super()
    this.clock = clock
    this.insert(this.#inodeOf(-1, 'ifs', { kind: 'directory' }))
  }

  addAt(parent: number, name: Name, facts: Facts = {}): Inode {
    this.#checkFree({ parent, name })
    const inode = this.insert(this.#inodeOf(parent, name, facts))
    this.#childrenToChange(parent).set(name, inode.index)
    return inode
  }

  setAt(index: number, facts: ChangedFacts): void {
    Object.assign(this.change(index), facts, { ctime: this.clock.now() })
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
    if (left.length === 0) this.erase(index)
    else this.#setLinks(index, left)
  }

  #checkFree({ parent, name }: Link): void {
    if (this.get(parent)?.children?.get(name) !== undefined) throw new Error(`${textOf(name)} exists already`)
  }

  #setLinks(index: number, [first, ...others]: Link[]): void {
    const links = others.length > 0 ? others : undefined
    Object.assign(this.change(index), first, { links, ctime: this.clock.now() })
  }

  #childrenToChange(index: number): Children {
    const directory = this.change(index)
    if (directory.children === undefined) throw new Error(`${textOf(this.pathOf(directory))} is no directory`)
    directory.mtime = this.clock.now()
    directory.ctime = directory.mtime
    return directory.children
  }

  #inodeOf(parent: number, name: Name, facts: Facts): Omit<Inode, 'index' | 'generation'> {
    const now = this.clock.now()
    const kind: Kind = facts.kind ?? 'file'
    const { size = 0, uid = 1_001, gid = 100, mode = kind === 'directory' ? 0o755 : 0o644 } = facts
    const { mtime = now, atime = now, ctime = now, btime = now } = facts
    const children = kind === 'directory' ? new Children() : undefined
    return { kind, parent, name, size, uid, gid, mode, mtime, atime, ctime, btime, children, links: undefined }
  }
}

const isSame = (a: Link, b: Link): boolean => a.parent === b.parent && a.name === b.name
