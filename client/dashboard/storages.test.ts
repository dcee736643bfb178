import { expect, test } from 'vitest'
import type { StorageSize } from '#events/dashboard.ts'
import type { StorageState } from '#events/overview/storageStates.ts'
import { usageLevel } from '#client/ui/values/usage.ts'
import { byNeed, needsAttention, rowsOf, storageTotals } from './storages.ts'

const storage = (name: string, used: number | null, total: number | null, more: Partial<StorageSize> = {}) => ({
  volumeId: 1,
  name,
  type: 'crawl.files',
  path: `/mnt/${name}`,
  fullPath: `/mnt/${name}`,
  total,
  used,
  free: null,
  fileSystem: null,
  sizeOfFiles: 10,
  countedSize: 8,
  numberOfFiles: 2,
  numberOfFolders: 1,
  isPartial: false,
  indexingDate: '2026-11-01',
  ...more,
})

test('storages that need attention are first, then the fullest, and unknown capacities are last', () => {
  const sizes = [
    storage('unknown', null, null, { sizeOfFiles: 20 }),
    storage('half', 50, 100),
    storage('bucket', null, null, { type: 'AWS-S3', volumeId: 7 }),
    storage('full', 99, 100),
    storage('soon', 60, 100, { forecast: { days: 25, earliest: 20, latest: 31 } }),
    storage('more', 70, 100),
  ]
  const states = [failed(7, 'bucket'), { ...failed(8, 'new'), isScanned: false, lastScan: null }]
  const names = rowsOf(sizes, states).toSorted(byNeed)
  expect(names.map(({ name }) => name)).toEqual(['full', 'soon', 'bucket', 'new', 'more', 'half', 'unknown'])
  expect(names.filter(needsAttention).map(({ name }) => name)).toEqual(['full', 'soon', 'bucket', 'new'])
})

const failed = (volumeId: number, name: string): StorageState => ({
  volumeId,
  name,
  type: 'AWS-S3',
  isScanned: true,
  isScanning: false,
  lastScan: { jobId: 1, state: 'failed', reason: 'No such bucket', finishedAt: null },
  isScheduled: true,
  isWatched: true,
})

test('unknown capacities and sizes are not summed', () => {
  const storages = [
    storage('a', 50, 100),
    storage('b', null, null),
    storage('c', 7, null),
    storage('d', 1, 2, { sizeOfFiles: -1, isPartial: true }),
  ]
  expect(storageTotals(storages)).toMatchObject({ used: 51, capacity: 102, sizeOfFiles: 30, files: 8, partial: 1 })
})

test('storages on one file system share its capacity', () => {
  const storages = [
    storage('a', 50, 100, { fileSystem: 'north:1' }),
    storage('b', 51, 100, { fileSystem: 'north:1' }),
    storage('c', 1, 10, { fileSystem: 'south:1' }),
  ]
  expect(storageTotals(storages)).toMatchObject({ used: 51, free: 59, capacity: 110, sizeOfFiles: 30 })
})

test('a storage warns at 80 % and is critical at 90 %, by the raw share', () => {
  expect([0.7999, 0.8, 0.8996, 0.9].map(usageLevel)).toEqual(['ok', 'warn', 'warn', 'critical'])
})
