import { nameFromBytes } from '#events/scans/names.ts'
import type { DiskPath } from './paths.ts'
import { fillKind, newStatx, type Statx } from './statx.ts'

/**
 * What is seen of an entry of a disk. A listing has one for all of its entries: what it says is true until the next is
 * shown, so that nothing has to be made for a file.
 */
export type DiskEntry = {
  /** Of an entry with an `error` only the kind, if the listing told it. */
  stat: Statx
  /** The name as the disk has it: the bytes of `names` from `nameAt` to before `nameEnd`. */
  names: Buffer
  nameAt: number
  nameEnd: number
  /** Of a symbolic link: what it names, as it crosses. */
  linkTarget: string
  /** Why its details cannot be read. */
  error: string | undefined
}

/**
 * Shows what lies in a folder, one after another, in any order and each name once. A link in the folder's place is no folder.
 * Throws `NotThere`, or an error that says why it cannot be listed to its end; what `show` throws ends it.
 */
export type ListFolder = (folder: DiskPath, show: (entry: DiskEntry) => void) => void

export const newDiskEntry = (): DiskEntry => ({
  stat: newStatx(),
  names: Buffer.alloc(0),
  nameAt: 0,
  nameEnd: 0,
  linkTarget: '',
  error: undefined,
})

/** The name as it crosses, as a text, which is made for folders, and where rules have to see it. */
export const nameOf = ({ names, nameAt, nameEnd }: DiskEntry): string => nameFromBytes(names.subarray(nameAt, nameEnd))

export function giveName(entry: DiskEntry, names: Buffer, from = 0, to = names.length): void {
  entry.names = names
  entry.nameAt = from
  entry.nameEnd = to
}

/** Gives an entry that cannot be looked up what the listing alone told, a number of `d_type`, and why. */
export function giveError(entry: DiskEntry, kind: number, error: string): void {
  fillKind(entry.stat, kind)
  entry.error = error
}
