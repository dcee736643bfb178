import type { BigIntStats } from 'node:fs'

/**
 * What the kernel tells of an entry: its `struct statx`, as words of 32 bits, their halves, and pairs of them. Where the
 * kernel is another one the same buffer is filled from what Node tells.
 */
export type Statx = { words: Uint32Array; halves: Uint16Array; pairs: BigUint64Array }

export const statxBytes = 256
/** Its own memory: the kernel is given the address. */
export function newStatx(): Statx {
  const memory = new ArrayBuffer(statxBytes)
  return { words: new Uint32Array(memory), halves: new Uint16Array(memory), pairs: new BigUint64Array(memory) }
}

/** Where the numbers lie: words, but for the mode, which is a half, and what `pairs` holds. */
export const inWords = { mask: 0, links: 4, user: 5, group: 6, major: 34, minor: 35 } as const
export const inHalves = { mode: 14 } as const
export const inPairs = { inode: 4, size: 5, blocks: 6, accessed: 8, created: 10, modified: 14 } as const
/** The bit of the mask that says that there is a time of birth. */
export const hasBirth = 0x800

const kinds = { mask: 0o170000, folder: 0o040000, link: 0o120000 } as const
export const isFolder = ({ halves }: Statx): boolean =>
  ((halves[inHalves.mode] as number) & kinds.mask) === kinds.folder
export const isLink = ({ halves }: Statx): boolean => ((halves[inHalves.mode] as number) & kinds.mask) === kinds.link

/** Bytes of an entry's content; beyond 2^53 they are rounded, as any sum of them is. */
export const sizeOf = ({ words }: Statx): number => (words[10] as number) + (words[11] as number) * 2 ** 32
export const allocatedSizeOf = ({ words }: Statx): number =>
  ((words[12] as number) + (words[13] as number) * 2 ** 32) * 512

/** The number of the device as `stat` of the C library puts it together. */
export function deviceOf({ words }: Statx): bigint {
  const major = BigInt(words[inWords.major] as number)
  const minor = BigInt(words[inWords.minor] as number)
  return ((major & ~0xfffn) << 32n) | ((minor & ~0xffn) << 12n) | ((major & 0xfffn) << 8n) | (minor & 0xffn)
}

const aSecond = 1_000_000_000n
/** Whole seconds, rounded down also before 1970, as unsigned 64 bits. */
const seconds = (nanoseconds: bigint): bigint =>
  BigInt.asUintN(64, nanoseconds / aSecond - (nanoseconds < 0n && nanoseconds % aSecond !== 0n ? 1n : 0n))

/** Fills in what Node tells. Its inodes and devices of the upper half of 64 bits are negative. */
export function fillStatx({ words, halves, pairs }: Statx, stats: BigIntStats): void {
  const device = BigInt.asUintN(64, stats.dev)
  words.fill(0)
  words[inWords.mask] = 0x7ff | hasBirth
  words[inWords.links] = Number(stats.nlink)
  words[inWords.user] = Number(stats.uid)
  words[inWords.group] = Number(stats.gid)
  words[inWords.major] = Number(((device >> 8n) & 0xfffn) | ((device >> 32n) & 0xfffff000n))
  words[inWords.minor] = Number((device & 0xffn) | ((device >> 12n) & 0xffffff00n))
  halves[inHalves.mode] = Number(stats.mode)
  pairs[inPairs.inode] = BigInt.asUintN(64, stats.ino)
  pairs[inPairs.size] = stats.size
  pairs[inPairs.blocks] = stats.blocks
  pairs[inPairs.accessed] = seconds(stats.atimeNs)
  pairs[inPairs.created] = seconds(stats.birthtimeNs)
  pairs[inPairs.modified] = seconds(stats.mtimeNs)
}

/** Kinds as a listing tells them, in numbers of `d_type`: these times 2^12 stand in the mode. Of others it is not told. */
export const toldKinds = { folder: 0o04, file: 0o10, link: 0o12 } as const

/** Fills in nothing but the kind. */
export function fillKind({ words, halves }: Statx, kind: number): void {
  words.fill(0)
  if (Object.values<number>(toldKinds).includes(kind)) halves[inHalves.mode] = kind << 12
}
