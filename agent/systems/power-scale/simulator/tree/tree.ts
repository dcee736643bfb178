import { Entries, type Facts } from './entries.ts'
import type { Inode, Link } from './inodes.ts'
import { nameOf, namesOf, textOf } from './names.ts'

/** A path from /ifs. Text is UTF-8; bytes may be anything. */
export type Path = string | Uint8Array

/** The live file system under /ifs, by paths. A change of a path that does not exist, or of one that has to be new and exists, throws. */
export class Tree extends Entries {
  /** Names of users. Others are listed as `UID:4000`, or as an empty text where the name is empty. */
  readonly users = new Map([
    [0, 'root'],
    [1_001, 'ada'],
    [1_002, 'bjørn'],
  ])
  readonly groups = new Map([
    [0, 'wheel'],
    [100, 'edit'],
  ])

  find(path: Path): Inode | undefined {
    const [first, ...names] = namesOf(path)
    return first === 'ifs' ? this.follow(names) : undefined
  }

  at(path: Path): Inode {
    const inode = this.find(path)
    if (inode === undefined) throw new Error(`${textOf(nameOf(path))} does not exist`)
    return inode
  }

  add(path: Path, facts?: Facts): Inode {
    const { parent, name } = this.#linkOf(path)
    return this.addAt(parent, name, facts)
  }

  addDirectory(path: Path, facts: Omit<Facts, 'kind'> = {}): Inode {
    return this.add(path, { ...facts, kind: 'directory' })
  }

  /** Makes a directory and those above it, where they do not exist. */
  ensureDirectory(path: Path): Inode {
    let directory = this.root
    for (const name of namesOf(path).slice(1)) {
      const index = directory.children?.get(name)
      directory =
        index === undefined ? this.addAt(directory.index, name, { kind: 'directory' }) : (this.get(index) as Inode)
    }
    if (directory.kind !== 'directory') throw new Error(`${textOf(nameOf(path))} is no directory`)
    return directory
  }

  /** Writes a file, which then has this size. */
  write(path: Path, size: number): void {
    this.setAt(this.at(path).index, { size, mtime: this.clock.now() })
  }

  touch(path: Path): void {
    this.setAt(this.at(path).index, { mtime: this.clock.now() })
  }

  /** Renames or moves an entry. */
  move(from: Path, to: Path): void {
    this.moveAt(this.at(from).index, this.#linkOf(from), this.#linkOf(to))
  }

  /** Makes a hard link. */
  link(existing: Path, path: Path): void {
    this.linkAt(this.at(existing).index, this.#linkOf(path))
  }

  /** Removes an entry and all entries below it. Other hard links of a file stay. */
  remove(path: Path): void {
    this.removeAt(this.at(path).index, this.#linkOf(path))
  }

  #linkOf(path: Path): Link {
    const names = namesOf(path)
    const name = names.pop()
    const parent = names.shift() === 'ifs' ? this.follow(names) : undefined
    if (name === undefined || parent?.kind !== 'directory')
      throw new Error(`${textOf(nameOf(path))} is in no directory that exists`)
    return { parent: parent.index, name }
  }
}
