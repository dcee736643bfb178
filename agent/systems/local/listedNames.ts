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
