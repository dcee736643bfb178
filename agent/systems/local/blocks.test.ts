import { lstatSync } from 'node:fs'
import { expect, test } from 'vitest'
import { newBlockFiller } from './blocks.ts'
import { allocatedSizeOf, fillStatx, newStatx, sizeOf } from './statx.ts'

const device = { major: 0x2b, minor: 0x1 }
const mounted = (type: string) => new Map([[`${device.major}:${device.minor}`, type]])

/** A file of a file system of this type, with its space on disk as the scan has it. */
function onDisk(type: string, { size, blocks, mode = 0o100644 }: { size: number; blocks: number; mode?: number }) {
  const stat = newStatx()
  const stats = Object.assign(lstatSync('/', { bigint: true }), {
    size: BigInt(size),
    blocks: BigInt(blocks),
    mode: BigInt(mode),
    dev: BigInt((device.major << 8) | device.minor),
  })
  fillStatx(stat, stats)
  const counts = { withoutBlocks: 0, withBlocks: 0 }
  newBlockFiller(mounted(type), counts)?.(stat)
  expect(sizeOf(stat)).toBe(size)
  const { withoutBlocks, withBlocks } = counts
  return [allocatedSizeOf(stat), withoutBlocks > 0 ? 'filled' : withBlocks > 0 ? 'reported' : undefined]
}

test.for([
  // Files of mounted archives and snapshots without any blocks
  ['fuse.fuse-archive', { size: 6_777_995_272, blocks: 0 }, 6_777_995_776],
  ['fuse.restic', { size: 11_468, blocks: 0 }, 11_776],
  ['fuse.cryfs', { size: 9, blocks: 0 }, 512],
  // Programs that report one block for every file
  ['fuse.s3fs', { size: 548_618, blocks: 1 }, 548_864],
  ['fuse.gcsf', { size: 23_061_558, blocks: 1 }, 23_062_016],
  // One block of 256 kB
  ['fuse.ipfs', { size: 18_092, blocks: 1 }, 18_432],
  // Servers that moved the content of a file elsewhere
  ['cifs', { size: 5 * 2 ** 40, blocks: 0 }, 5 * 2 ** 40],
  ['smb3', { size: 4_096, blocks: 0 }, 4_096],
  ['9p', { size: 1, blocks: 0 }, 512],
] as const)('%s: a file without its blocks takes the space of its size', ([type, file, expected]) => {
  expect(onDisk(type, file)).toEqual([expected, 'filled'])
})

test.for([
  // Sparse, compressed and preallocated files
  ['ext4', { size: 1_048_576_000, blocks: 0 }, 0],
  ['tmpfs', { size: 4 * 2 ** 50, blocks: 0 }, 0],
  ['zfs', { size: 1_000_000, blocks: 1 }, 512],
  ['btrfs', { size: 2_048, blocks: 8 }, 4_096],
  ['ext4', { size: 0, blocks: 512 }, 262_144],
  // NFS has the blocks of its server, or those of the size
  ['nfs4', { size: 64, blocks: 0 }, 0],
  // A local disk by a program of this machine
  ['fuseblk', { size: 600, blocks: 0 }, 0],
  // Reported blocks count also where others are missing
  ['fuse.mergerfs', { size: 2 ** 40, blocks: 2_048 }, 2 ** 20],
  ['fuse.mergerfs', { size: 0, blocks: 512 }, 262_144],
  ['fuse.s3fs', { size: 300, blocks: 1 }, 512],
  ['fuse.restic', { size: 0, blocks: 0 }, 0],
] as const)('%s: %o takes the space that is reported', ([type, file, expected]) => {
  expect(onDisk(type, file)).toEqual([expected, undefined])
})

test.for([
  ['nfs4', { size: 100_000, blocks: 200 }, 'reported'],
  ['cifs', { size: 100_000, blocks: 200 }, 'reported'],
  ['cvfs', { size: 100_000, blocks: 200 }, 'reported'],
  // Says nothing: small, or the same few blocks for every file
  ['nfs4', { size: 4_096, blocks: 8 }, undefined],
  ['fuse.s3fs', { size: 9_000_000, blocks: 8 }, undefined],
  ['nfs4', { size: 100_000, blocks: 0 }, undefined],
  // Blocks of 256 kB, counted as such
  ['fuse.ratarmount', { size: 286_326_725, blocks: 1_094 }, undefined],
  ['ext4', { size: 100_000, blocks: 200 }, undefined],
] as const)('%s: %o shows that a server reports blocks: %s', ([type, file, expected]) => {
  expect(onDisk(type, file)[1]).toBe(expected)
})

test('folders and links have no content to count', () => {
  expect(onDisk('fuse.restic', { size: 4_096, blocks: 0, mode: 0o040755 })).toEqual([0, undefined])
  expect(onDisk('fuse.restic', { size: 20, blocks: 0, mode: 0o120777 })).toEqual([0, undefined])
})

test('only files of such a file system are filled in, not others in the same storage', () => {
  const stat = newStatx()
  fillStatx(stat, Object.assign(lstatSync('/', { bigint: true }), { size: 700n, blocks: 0n, mode: 0o100644n }))
  const types = new Map([
    ['253:9', 'fuse.rclone'],
    ['8:1', 'ext4'],
  ])
  const counts = { withoutBlocks: 0, withBlocks: 0 }
  newBlockFiller(types, counts)?.(stat)
  expect(counts).toEqual({ withoutBlocks: 0, withBlocks: 0 })
  expect(newBlockFiller(new Map([['8:1', 'ext4']]), counts)).toBeUndefined()
})
