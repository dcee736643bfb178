import type { BigIntStats } from 'node:fs'
import { statxWords as at } from '#events/node/blocks/rowsOfFiles.ts'

/**
 * The kernel's data about an entry: its `struct statx` in words of 32 bits, two for values of 64, the lower first. On other kernels the
 * same is filled in from Node's data. It has memory of its own, because the kernel receives the address.
 */
export type Statx = Uint32Array
export const newStatx = (): Statx => new Uint32Array(new ArrayBuffer(256))

/** All of the mask that Node asks for too; the highest bit says that there is a birth time. */
export const statxMask = 0xfff
/** Bytes of a block in `statx`. File systems may have blocks of another size. */
export const blockBytes = 512

const kinds = { mask: 0o170000, folder: 0o040000, link: 0o120000 } as const
/** The mode with the kind of file. */
export const modeOf = (stat: Statx): number => (stat[at.mode] as number) & 0xffff
export const isFolder = (stat: Statx): boolean => (modeOf(stat) & kinds.mask) === kinds.folder
export const isLink = (stat: Statx): boolean => (modeOf(stat) & kinds.mask) === kinds.link

const long = (stat: Statx, word: number): number => (stat[word] as number) + (stat[word + 1] as number) * 2 ** 32
/** Bytes of an entry's content; beyond 2^53 they are rounded, as any sum of them is. */
export const sizeOf = (stat: Statx): number => long(stat, at.size)
/** False for a size that 64 bits with a sign don't hold; its row has an unknown one. */
export const hasPossibleSize = (stat: Statx): boolean => (stat[at.size + 1] as number) < 2 ** 31
/** Rounded from 2^53 on, as Node does. */
export const inodeOf = (stat: Statx): number => long(stat, at.inode)
export const allocatedSizeOf = (stat: Statx): number => long(stat, at.blocks) * blockBytes

/** Time of the last change in seconds, with fractions; before 1970 it is negative. */
export const modifiedOf = (stat: Statx): number =>
  (stat[at.modified] as number) +
  ((stat[at.modified + 1] as number) | 0) * 2 ** 32 +
  (stat[at.modifiedFraction] as number) / 1e9

/** The device, as the number that the C library puts together of its two. */
export function deviceOf(stat: Statx): bigint {
  const major = BigInt(stat[at.major] as number)
  const minor = BigInt(stat[at.minor] as number)
  return ((major & ~0xfffn) << 32n) | ((minor & ~0xffn) << 12n) | ((major & 0xfffn) << 8n) | (minor & 0xffn)
}

/** The two numbers of a device, which Node tells as a negative number if it is in the upper half of 64 bits. */
export function devicePartsOf(dev: bigint): [major: bigint, minor: bigint] {
  const device = BigInt.asUintN(64, dev)
  return [
    ((device >> 8n) & 0xfffn) | ((device >> 32n) & 0xfffff000n),
    (device & 0xffn) | ((device >> 12n) & 0xffffff00n),
  ]
}

/** Fills in what Node tells. Its inodes and devices of the upper half of 64 bits are negative. */
export function fillStatx(stat: Statx, stats: BigIntStats): void {
  stat.fill(0)
  stat[at.mask] = statxMask
  stat[at.linkCount] = Number(stats.nlink)
  stat[at.user] = Number(stats.uid)
  stat[at.group] = Number(stats.gid)
  stat[at.mode] = Number(stats.mode)
  setLong(stat, at.inode, stats.ino)
  setLong(stat, at.size, stats.size)
  setLong(stat, at.blocks, stats.blocks)
  setLong(stat, at.accessed, seconds(stats.atimeNs))
  setLong(stat, at.created, seconds(stats.birthtimeNs))
  setLong(stat, at.modified, seconds(stats.mtimeNs))
  stat[at.modifiedFraction] = Number(stats.mtimeNs - seconds(stats.mtimeNs) * aSecond)
  const [major, minor] = devicePartsOf(stats.dev)
  stat[at.major] = Number(major)
  stat[at.minor] = Number(minor)
}

function setLong(stat: Statx, word: number, value: bigint): void {
  const number = Number(value)
  const isExact = number >= 0 && number <= Number.MAX_SAFE_INTEGER
  stat[word] = isExact ? number : Number(BigInt.asUintN(32, value))
  stat[word + 1] = isExact ? number / 2 ** 32 : Number(BigInt.asUintN(32, value >> 32n))
}

const aSecond = 1_000_000_000n
/** Whole seconds, rounded down also before 1970. */
export const seconds = (nanoseconds: bigint): bigint =>
  nanoseconds / aSecond - (nanoseconds < 0n && nanoseconds % aSecond !== 0n ? 1n : 0n)

/** Kinds in a listing, as numbers of `d_type`; multiplied by 2^12 they are those of the mode. Other kinds are not listed. */
export const toldKinds = { folder: 0o04, file: 0o10, link: 0o12 } as const

/** Fills in nothing but the kind from a listing. */
export function fillKind(stat: Statx, kind: number): void {
  stat.fill(0)
  if (Object.values<number>(toldKinds).includes(kind)) stat[at.mode] = kind << 12
}
