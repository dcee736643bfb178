import type { Name } from './names.ts'

/** Kinds of entries, with their names in directory listings (`type`) and in changelists (`fileType`). */
export const kinds = {
  directory: { type: 'container', fileType: 'directory' },
  file: { type: 'object', fileType: 'regular' },
  symlink: { type: 'symbolic_link', fileType: 'symlink' },
  fifo: { type: 'pipe', fileType: 'fifo' },
  socket: { type: 'socket', fileType: 'socket' },
  characterDevice: { type: 'character_device', fileType: 'char device' },
  blockDevice: { type: 'block_device', fileType: 'block device' },
  whiteout: { type: 'whiteout_file', fileType: 'unknown' },
} as const
export type Kind = keyof typeof kinds

export type Link = { parent: number; name: Name }

/** Times are in seconds since 1970. */
export type Inode = {
  /** Inodes are counted from 0, which is /ifs. `linOf` makes the number that the cluster shows. */
  readonly index: number
  readonly kind: Kind
  /** Directory and name of the first link. The parent of /ifs is -1. */
  parent: number
  name: Name
  size: number
  uid: number
  gid: number
  mode: number
  mtime: number
  atime: number
  ctime: number
  btime: number
  children: Children | undefined
  /** Hard links after the first one. A change replaces the list. */
  links: readonly Link[] | undefined
  /** Generation of the tree in which this object was made; later generations copy it before a change. */
  readonly generation: number
}

/** Half of the numbers are above 2^53, where neighbors are the same as floating-point numbers. */
const isLarge = (index: number): boolean => (index & 8) !== 0

/** Number of an inode that the cluster shows. */
export function linOf(index: number): bigint | number {
  if (index <= 0) return 2 + index
  return isLarge(index) ? 2n ** 56n + BigInt(index) : 2 ** 32 + index
}

export const compareLins = (a: number, b: number): number => Number(isLarge(a)) - Number(isLarge(b)) || a - b

export const linksOf = ({ parent, name, links = [] }: Inode): Link[] => [{ parent, name }, ...links]

/** Number of children from which their list is kept between pages. */
const largeDirectory = 1_000

/** Names and inodes of a directory, in the order in which they were added. */
export class Children {
  readonly #byName: Map<Name, number>
  #list: [Name, number][] | undefined

  constructor(byName: Iterable<[Name, number]> = []) {
    this.#byName = new Map(byName)
  }

  get(name: Name): number | undefined {
    return this.#byName.get(name)
  }

  set(name: Name, index: number): void {
    this.#byName.set(name, index)
    this.#list = undefined
  }

  delete(name: Name): void {
    this.#byName.delete(name)
    this.#list = undefined
  }

  list(): readonly [Name, number][] {
    if (this.#list) return this.#list
    const list = [...this.#byName]
    if (list.length > largeDirectory) this.#list = list
    return list
  }

  copy(): Children {
    return new Children(this.#byName)
  }
}
