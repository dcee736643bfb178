import { expect, test } from 'vitest'
import { maxStoredBytes } from '#events/scans/entryLimits.ts'
import { storageDetails } from '#client/testing/examples.ts'
import type { DetailedVolume } from '#events/storages.ts'
import { detailFacts, forecastFacts } from './detailFacts.ts'

const films = storageDetails(1, {
  name: 'Films',
  type: 'S3',
  path: 's3://films',
  fullPath: 's3://films',
  fileSystem: null,
  server: null,
  total: null,
  used: null,
  free: null,
  sizeOfFiles: 5e9,
  numberOfFiles: 1_200,
  numberOfFolders: 3,
  indexingDate: '2026-11-21',
  crawlDuration: 93_000,
  productName: 'Amazon S3',
})
const factsOf = (changes: Partial<DetailedVolume>) =>
  detailFacts({ ...films, ...changes }, '10').map(({ name, text }) => `${name}: ${text}`)

test('the content of a bucket besides its current objects is shown if it was counted', () => {
  const basicFacts = factsOf({})
  const counted = factsOf({
    versions: {
      noncurrent: { count: 2_500, bytes: 2e9 },
      deleteMarkers: 7,
      incomplete: { count: 1, bytes: 3e6 },
    },
  })
  expect(counted.filter((fact) => !basicFacts.includes(fact))).toEqual([
    'Current: 5.00 GB in 1,200',
    'Noncurrent versions: 2.00 GB in 2,500',
    'Delete markers: 7',
    'Incomplete uploads: 3.00 MB in 1',
  ])
})

test('the reason is shown if it could not be counted', () => {
  expect(factsOf({ versionsFailure: 'These credentials have no right' })).toContain(
    'Versions and uploads: could not be counted: These credentials have no right',
  )
})

test('a storage that is larger than its disk, or than anything, is marked', () => {
  const larger = 'Check: Larger than its disk: sparse or compressed files, or files that are seen more than once'
  expect(factsOf({ total: 252e9, used: 28e9, sizeOfFiles: 1.6e12 })).toContain(larger)
  expect(factsOf({ total: 252e9, used: 28e9, sizeOfFiles: 1e9 })).not.toContain(larger)
  expect(factsOf({ sizeOfFiles: maxStoredBytes })).toContain(
    'Check: Implausible size: the sizes of files add up to more than can be stored',
  )
})

test('where access times mean nothing, the storage says why', () => {
  expect(factsOf({ type: 'crawl.files', accessTimes: 'recorded' }).join()).not.toContain('Access times')
  expect(factsOf({ type: 'crawl.files', accessTimes: 'frozen' })).toContain(
    'Access times: Reading files does not change their access times, as with noatime, so no file counts as cold',
  )
  expect(factsOf({ type: 'crawl.files', accessTimes: 'missing' })).toContain(
    'Access times: No file has an access time, so none counts as cold',
  )
  expect(factsOf({ type: 'AWS-S3', accessTimes: 'missing' }).join()).not.toContain('Access times')
})

test('file systems that are not included are named', () => {
  const notEntered = { count: 1, folders: [{ path: '/t', reason: 'fileSystem' as const, detail: 'tmpfs' }] }
  expect(factsOf({ notEntered })).toContain(
    'Not included: 1 file system not included: /t is another file system (tmpfs)',
  )
})

test('a storage of sparse or compressed files shows both sizes, and says where none on disk is reported', () => {
  expect(factsOf({ sizeOnDisk: 2e9 })).toContain('Size of files: 2.00 GB on disk · 5.00 GB apparent')
  expect(factsOf({ sizeOnDisk: 5.003e9 })).toContain('Size of files: 5.00 GB')
  expect(factsOf({ sizeOnDisk: 2e9, isPartial: true })).toContain('Size of files: ≥ 2.00 GB on disk · 5.00 GB apparent')
  const lacking = 'Size on disk: Not reported for some files by their file system. Their apparent size counts.'
  expect(factsOf({ lacksSizesOnDisk: true })).toContain(lacking)
  expect(factsOf({})).not.toContain(lacking)
})

test('a storage with reflinks says that copies may share their space', () => {
  const shared =
    'Copies: Copies may share their space on disk (reflinks, snapshots), so deleting one may free less than its size'
  expect(factsOf({ mayShareSpace: true })).toContain(shared)
  expect(factsOf({})).not.toContain(shared)
})

test('a container of Azure shows its versions, snapshots and soft-deleted blobs together', () => {
  const none = { count: 0, bytes: 0 }
  const versions = { noncurrent: { count: 1_000, bytes: 2e9 }, deleteMarkers: 0, incomplete: none }
  const facts = factsOf({ type: 'AZURE', versions })
  expect(facts).toContain('Versions, snapshots and soft-deleted blobs: 2.00 GB in 1,000')
  expect(facts.join()).not.toMatch(/Delete markers|Incomplete uploads/)
  expect(factsOf({ type: 'AZURE', versionsFailure: 'Denied' })).toContain(
    'Versions and deleted blobs: could not be counted: Denied',
  )
})

test('a storage page has the forecast of its disk with the range', () => {
  const forecast = { days: 84.6, earliest: 62.9, latest: 130.2 }
  expect(forecastFacts({ total: 100, forecast })[0]?.text).toBe('Full in 84 days (62 to 131 days)')
  expect(forecastFacts({ total: 100 })[0]?.text).toContain('steady growth')
  expect(forecastFacts({ total: null })).toEqual([])
})

test('of a storage that the user sees in part, the capacity and the scan as a whole are left out', () => {
  const facts = factsOf({ limited: true, crawlDuration: null })
  expect(facts).toContain('Capacity: Not available for your projects')
  expect(facts.join()).not.toMatch('Unknown')
})
