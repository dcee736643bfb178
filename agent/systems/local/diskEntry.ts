import { nameFromBytes } from '#events/contract/fileNames.ts'
import type { DiskPath } from './paths.ts'
import type { LookupPace } from './lookupPace.ts'
import type { SeenNames } from './seenNames.ts'
import { fillKind, newStatx, type Statx } from './statx.ts'

/**
 * An entry of a disk. A listing reuses one for all of its entries, so that nothing is allocated per file: its values are valid until the
 * next entry is shown.
 */
export type DiskEntry = {
  /** For an entry with an `error` only the kind, if the listing has it. */
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

/** A folder that is open, and a path for Node's calls that leads to it. */
export type OpenDiskFolder = { fd: number; path: DiskPath }

/**
 * Shows the entries of an open folder, one after another, in any order and each name once. Throws an error with the reason why the folder
 * can't be listed to its end. An error thrown by `show` ends the listing. With a `pace`, a listing may leave a rest.
 */
export type ListFolder = (
  folder: OpenDiskFolder,
  show: (entry: DiskEntry) => void,
  pace?: LookupPace,
) => RestOfNames | undefined

/** Names of a folder that were listed and not shown, because its storage turned out to be slow, and all names that were listed. */
type RestOfNames = { names: Buffer; seen: SeenNames }
/** The rest of a listing, and the open folder, which the receiver closes with `closeFolder`. */
export type ListingRest = RestOfNames & { fd: number }

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

/** Fills in an entry that cannot be looked up: the kind from the listing, a number of `d_type`, and the error. */
export function giveError(entry: DiskEntry, kind: number, error: string): void {
  fillKind(entry.stat, kind)
  entry.error = error
}
