import { nameFromBytes } from '#events/contract/fileNames.ts'

/** Bytes of names that are read at once: a slow storage's are shown before all are read, and more is not quicker. */
export const listingBytes = 64 * 1024
/** Bytes of the target of a link, which Linux limits. */
export const targetBytes = 4_096

/** Offsets of the length, the kind and the name in a `struct linux_dirent64`. */
export const inRecord = { length: 16, kind: 18, name: 19 } as const

/** The end of a name, which is followed by a 0. */
export function endOfName(listing: Buffer, start: number): number {
  let end = start
  while (listing[end] !== 0) end++
  return end
}

/** True for a folder's entries of itself and of the folder above. */
export const isDots = (listing: Buffer, from: number, to: number): boolean =>
  listing[from] === 0x2e && (to === from + 1 || (to === from + 2 && listing[from + 1] === 0x2e))

/** The target of a link, from the bytes that were read; a link that can't be read has none. */
export const targetFrom = (target: Buffer, length: number): string =>
  length < 0 ? '' : nameFromBytes(target.subarray(0, length))
