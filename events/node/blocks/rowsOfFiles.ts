import type { Column } from './columns.ts'
import type { Columns } from './rowsOfEntries.ts'

/** The names of users and groups by their numbers. */
export type OwnerNames = { user(id: number): string; group(id: number): string }

/** Positions in `struct statx`, in words of 32 bits; values of 64 bits have two. The mode is the lower half of its word. */
const at = {
  mask: 0,
  linkCount: 4,
  user: 5,
  group: 6,
  mode: 7,
  inode: 8,
  size: 10,
  blocks: 12,
  accessed: 16,
  created: 20,
  modified: 28,
  /** Nanoseconds in addition to the seconds. */
  modifiedFraction: 30,
  major: 34,
  minor: 35,
} as const
export { at as statxWords }
/** Of the mask: there is a birth time. */
export const hasCreated = 0x800
const blockBytes = 512
const kindMask = 0o170000
const kindFolder = 0o040000

/** Sets rows of entries from what system calls wrote, without a text or an object for each. */
export function newRowsOfFiles(columns: Columns, names: OwnerNames) {
  const { is_directory, mode, link_count, owner, group, device, inode, size, allocated_size } = columns
  const { created, modified, accessed } = columns
  const numbers = [size, allocated_size, link_count, device, inode, mode, created, modified, accessed]
  const users = indexesOf(owner, names.user)
  const groups = indexesOf(group, names.group)
  return {
    set(row: number, stat: Uint32Array): void {
      const low = 2 * row
      const high = low + 1
      const fileMode = (stat[at.mode] as number) & 0xffff
      mode.values[row] = fileMode
      is_directory.values[row] = (fileMode & kindMask) === kindFolder ? 1 : 0
      link_count.values[row] = stat[at.linkCount] as number
      owner.values[row] = users.indexOf(stat[at.user] as number)
      group.values[row] = groups.indexOf(stat[at.group] as number)
      inode.values[low] = stat[at.inode] as number
      inode.values[high] = stat[at.inode + 1] as number
      setLong(size.values, low, stat[at.size] as number, stat[at.size + 1] as number)
      modified.values[low] = stat[at.modified] as number
      modified.values[high] = stat[at.modified + 1] as number
      accessed.values[low] = stat[at.accessed] as number
      accessed.values[high] = stat[at.accessed + 1] as number
      const allocated = ((stat[at.blocks] as number) + (stat[at.blocks + 1] as number) * 2 ** 32) * blockBytes
      setLong(allocated_size.values, low, allocated, allocated / 2 ** 32)
      // As glibc puts both numbers of a device into one.
      const major = stat[at.major] as number
      const minor = stat[at.minor] as number
      device.values[low] = ((minor & 0xffffff00) << 12) | ((major & 0xfff) << 8) | (minor & 0xff)
      device.values[high] = (major & 0xfffff000) | (minor >>> 20)
      if (((stat[at.mask] as number) & hasCreated) === 0) return
      created.values[low] = stat[at.created] as number
      created.values[high] = stat[at.created + 1] as number
    },
    /** Says that rows were set; once a block is enough. */
    use() {
      for (const column of [...numbers, owner, group] satisfies Column[]) column.isUsed = true
    },
    clear() {
      users.clear()
      groups.clear()
    },
  }
}

/** Sets a number of bytes. One that 64 bits with a sign don't hold is -1, which is unknown. */
function setLong(values: Uint32Array, low: number, lower: number, upper: number): void {
  const isTooLarge = upper >= 2 ** 31
  values[low] = isTooLarge ? 0xffff_ffff : lower
  values[low + 1] = isTooLarge ? 0xffff_ffff : upper
}

/** Indexes in this block of the names of users or groups. An ID is often the same as the one before. */
function indexesOf(column: Columns['owner'], nameOf: (id: number) => string) {
  const indexes = new Map<number, number>()
  let last = -1
  let lastIndex = 0
  return {
    indexOf(id: number): number {
      if (id === last) return lastIndex
      lastIndex = indexes.get(id) ?? column.indexOf(nameOf(id))
      indexes.set((last = id), lastIndex)
      return lastIndex
    },
    clear() {
      indexes.clear()
      last = -1
    },
  }
}
