import { expect, test } from 'vitest'
import { capacityOf, groupByDisk, reservedBytes, usableBytes, usedShare, withSameDisk } from './capacity.ts'

const disk = (total: number | null, used: number | null, free: number | null, fileSystem: string | null = null) => ({
  total,
  used,
  free,
  fileSystem,
})

test('a disk is as full as in df: reserved bytes are neither used nor free', () => {
  // `df -B1` of such a disk: 263174212 28040508 72612372 28%
  const df = disk(263_174_212, 28_040_508, 72_612_372)
  expect(Math.ceil((usedShare(df) ?? 0) * 100)).toBe(28)
  expect(usableBytes(df)).toBe(100_652_880)
  expect(reservedBytes(df)).toBe(162_521_332)
})

test('a disk without free space for users is full, even if some is reserved for the system', () => {
  expect(usedShare(disk(100, 95, 0))).toBe(1)
})

test('without known free space all unused space is free, and an unknown disk has no fill level', () => {
  expect(usedShare(disk(100, 25, null))).toBe(0.25)
  expect(reservedBytes(disk(100, 25, null))).toBe(0)
  expect([disk(null, 5, 5), disk(100, null, 5), disk(0, 0, 0)].map(usedShare)).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('storages on one file system are one disk, which counts once', () => {
  const storages = [
    disk(100, 50, 40, 'north:1'),
    disk(10, 1, 9, 'south:1'),
    disk(100, 50, 40, 'north:1'),
    disk(7, 2, 5),
    disk(7, 2, 5),
    disk(null, null, null),
  ]
  expect(groupByDisk(storages).map((on) => on.length)).toEqual([2, 1, 1, 1, 1])
  expect(capacityOf(storages)).toEqual({ total: 124, used: 55, free: 59 })
})

test('in a list the first storage shows the disk, and the others refer to it', () => {
  const storages = ['north:1', 'south:1', 'north:1', null].map((fileSystem, id) => ({ id, fileSystem }))
  expect(withSameDisk(storages).map(({ sameDiskAs }) => sameDiskAs?.id)).toEqual([undefined, undefined, 0, undefined])
})
