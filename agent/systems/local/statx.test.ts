import { lstatSync } from 'node:fs'
import { expect, test } from 'vitest'
import { newBlockWriter } from '#events/node/blocks/blockWriter.ts'
import { decodeBlock, type DecodedRow } from '#events/node/blocks/testing/decodeBlock.ts'
import { allocatedSizeOf, deviceOf, fillStatx, newStatx, sizeOf, type Statx } from './statx.ts'

const root = lstatSync('/', { bigint: true })

function rowOf(stat: Statx): DecodedRow {
  const writer = newBlockWriter()
  writer.addFrom(writer.folder('/'), stat, Buffer.from('name'), 0, 4)
  return decodeBlock(writer.encode())[0] as DecodedRow
}

function filled(changes: Partial<typeof root>): Statx {
  const stat = newStatx()
  fillStatx(stat, Object.assign(lstatSync('/', { bigint: true }), changes))
  return stat
}

test('the number of an inode may use all 64 bits, as on network shares', () => {
  const inode = 10_468_955_797_003_582_250n
  expect(rowOf(filled({ ino: -7_977_788_276_705_969_366n })).inode).toBe(inode)
  const byKernel = newStatx()
  byKernel[8] = Number(inode & 0xffff_ffffn)
  byKernel[9] = Number(inode >> 32n)
  expect(rowOf(byKernel).inode).toBe(inode)
})

test('both numbers of a device use all of their 32 bits', () => {
  for (const device of [0n, 0x10302n, 0xffff_ffff_ffff_ffffn, 0x1234_5678_9abc_def0n]) {
    const stat = filled({ dev: BigInt.asIntN(64, device) })
    expect(deviceOf(stat)).toBe(device)
    expect(BigInt(rowOf(stat).device as number)).toBe(device)
  }
})

test('times are whole seconds, rounded down also before 1970, and go far beyond 2106', () => {
  const second = 1_000_000_000n
  for (const [nanoseconds, seconds] of [
    [-1n, -1],
    [-second, -1],
    [-second - 1n, -2],
    [second - 1n, 0],
    [4_294_967_296n * second + 999_999_999n, 4_294_967_296],
    [253_402_300_800n * second, 253_402_300_800],
  ] as const) {
    const stat = filled({ mtimeNs: nanoseconds, atimeNs: nanoseconds, birthtimeNs: nanoseconds })
    expect(rowOf(stat)).toMatchObject({ modified: seconds, accessed: seconds, created: seconds })
  }
})

test('sizes and blocks are beyond 32 bits', () => {
  const stat = filled({ size: 9_007_199_254_740_993n, blocks: 17_592_186_044_416n })
  expect(rowOf(stat)).toMatchObject({ size: 9_007_199_254_740_993n, allocated_size: 2n ** 53n })
  expect([sizeOf(stat), allocatedSizeOf(stat)]).toEqual([9_007_199_254_740_992, 2 ** 53])
})
