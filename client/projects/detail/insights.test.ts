import { expect, test } from 'vitest'
import type { Project, ProjectShare } from '#events/projects/calls.ts'
import { insightsOf, searchOfCopies, withOlder } from './insights.ts'
import { searchOfProject } from './projectSearch.ts'

const GiB = 2 ** 30
const counted = (gibibytes: number) => ({ sizeOfFiles: gibibytes * GiB, numberOfFiles: gibibytes })
const item = (volumeId: number, path: string, more = {}) => ({
  volumeId,
  path,
  pathOnDate: path,
  isNested: false,
  isGone: false,
  ...more,
})
/** 10 GiB, of which 2 are copies of each other, 2 were not accessed for half a year and 3 for more than a year. */
const share = (volumeId: number, type: string, price: number | null, symbol = '$') =>
  ({
    volumeId,
    type,
    isDeleted: false,
    sizeOfFiles: 10 * GiB,
    storagePrice: price === null ? null : { price, currencySymbol: symbol, classes: [] },
    statistics: {
      DUPLICATE: { duplicate: counted(2), reclaimable: counted(1) },
      ACCESS_DATE: { '1 week': counted(5), '1 year': counted(2), older: counted(3) },
      MODIFIED_DATE: { '6 month': counted(9), older: counted(1) },
    },
    projectItems: [item(volumeId, '/raw')],
  }) as unknown as ProjectShare
const project = (...projectShares: ProjectShare[]) =>
  ({ indexingDate: '2026-11-25', sizeOfFiles: 10 * projectShares.length * GiB, projectShares }) as Project

test('duplicates and cold data lead to their files, and say what they cost', () => {
  const insights = insightsOf(project(share(1, 'crawl.files', 1.2)), '2')
  const folder = { volumeId: ['1'], startingPath: '/raw' }
  expect(insights.map(({ key: _, bytes: _bytes, rule: _rule, isLeast: _isLeast, ...insight }) => insight)).toEqual([
    {
      amount: '2.00 GiB in 2 files',
      phrase: 'with duplicates',
      share: 0.2,
      search: { ...folder, onlyDuplicates: 'true' },
      reclaimable: '1.00 GiB reclaimable',
      saving: '$0.10 per month',
      advice: 'Keeping one copy of each',
    },
    {
      amount: '5.00 GiB in 5 files',
      phrase: 'not accessed for 6 months',
      share: 0.5,
      search: { ...folder, lastAccessBefore: '2026-05-25' },
      saving: '$0.50 per month',
      advice: 'Archiving them',
    },
    {
      amount: '3.00 GiB in 3 files',
      phrase: 'not accessed for 12 months',
      share: 0.3,
      search: { ...folder, lastAccessBefore: '2025-11-25' },
      saving: '$0.30 per month',
      advice: 'Archiving them',
    },
  ])
})

test('a saving of a hundredth or less is none, and each currency counts by itself', () => {
  const savings = (...shares: ProjectShare[]) => insightsOf(project(...shares), '2').map(({ saving }) => saving)
  expect(savings(share(1, 'crawl.files', 0.12))).toEqual([undefined, '$0.05 per month', '$0.03 per month'])
  expect(savings(share(1, 'crawl.files', null))).toEqual([undefined, undefined, undefined])
  expect(savings(share(1, 'crawl.files', 1.2), share(2, 'crawl.files', 12, '€'))[0]).toBe('€1.00 + $0.10 per month')
})

test('a minimum of reclaimable bytes is shown for several folders, unless it is zero', () => {
  const both = { ...share(1, 'crawl.files', 1.2), projectItems: [item(1, '/raw'), item(1, '/masters')] } as ProjectShare
  const [duplicates, cold] = insightsOf(project(both), '2')
  expect(duplicates).toMatchObject({ reclaimable: 'at least 1.00 GiB reclaimable', isLeast: true })
  expect(duplicates?.rule).toContain('within the same folder of the project')
  expect(cold?.isLeast).toBe(false)
  const none = { ...both.statistics, DUPLICATE: { duplicate: counted(2), reclaimable: counted(0) } }
  const [spread] = insightsOf(project({ ...both, statistics: none }), '2')
  expect(spread).toMatchObject({ amount: '2.00 GiB in 2 files', saving: undefined })
  expect(spread).not.toHaveProperty('reclaimable')
})

test('all reclaimable bytes are shown once the whole project was counted', () => {
  const apart = {
    ...share(1, 'crawl.files', 1.2),
    projectItems: [item(1, '/raw'), item(1, '/masters')],
  } as ProjectShare
  expect(searchOfCopies(project(apart))).toMatchObject({
    volumeAndPath: ['1:/raw', '1:/masters'],
    onlyDuplicates: true,
  })
  expect(searchOfCopies(project(share(1, 'crawl.files', 1.2)))).toBeUndefined()
  const [duplicates] = insightsOf(project(apart), '2', 1.5 * GiB)
  expect(duplicates).toMatchObject({ reclaimable: '1.50 GiB reclaimable' })
  expect(duplicates?.rule).not.toContain('within the same folder')
})

test('where storage classes have different prices each is saved at its own', () => {
  const classes = (bytes: Record<string, number>) =>
    Object.fromEntries(Object.entries(bytes).map(([name, gibibytes]) => [name, gibibytes * GiB]))
  const of = (bytes: Record<string, number>) => ({ ...counted(4), classes: classes(bytes) })
  const bucket = {
    ...share(1, 'AWS-S3', 6),
    storagePrice: {
      price: 6,
      currencySymbol: '$',
      classes: [
        { storageClass: 'GLACIER', price: 1.2, sizeOfFiles: 5 * GiB },
        { storageClass: 'STANDARD', price: 12, sizeOfFiles: 5 * GiB },
      ],
    },
    statistics: {
      DUPLICATE: { duplicate: of({ STANDARD: 4 }), reclaimable: of({ STANDARD: 1, GLACIER: 3 }) },
      ACCESS_DATE: {},
      MODIFIED_DATE: { '1 year': of({ STANDARD: 2, GLACIER: 2 }), older: of({ GLACIER: 4 }) },
    },
  } as unknown as ProjectShare
  // Per month: 1 × 12 / 12 + 3 × 1.2 / 12 = 1.30; 2 × 1 + 2 × 0.1 + 4 × 0.1 = 2.60; 4 × 0.1 = 0.40.
  expect(insightsOf(project(bucket), '2').map(({ saving }) => saving)).toEqual([
    '$1.30 per month',
    '$2.60 per month',
    '$0.40 per month',
  ])
})

test('where storages do not tell when files were accessed, their last change counts', () => {
  const insights = insightsOf(project(share(1, 'crawl.files', null), share(2, 'AWS-S3', null)), '2')
  expect(insights.map(({ phrase }) => phrase)).toEqual([
    'with duplicates',
    'not accessed for 6 months',
    'not accessed for 12 months',
    'not modified for 6 months',
    'not modified for 12 months',
  ])
  expect(insights[3]?.search).toEqual({ volumeId: ['2'], startingPath: '/raw', lastModifiedBefore: '2026-05-25' })
  expect(insights[0]?.search).toEqual({ volumeAndPath: ['1:/raw', '2:/raw'], onlyDuplicates: 'true' })
})

test('an item without a place is reported as such', () => {
  const none = { DUPLICATE: { duplicate: counted(0), reclaimable: counted(0) }, ACCESS_DATE: {}, MODIFIED_DATE: {} }
  const insights = insightsOf(project({ ...share(1, 'crawl.files', 1), statistics: none }), '2')
  expect(insights.map(({ amount, phrase }) => [amount, phrase])).toEqual([
    [undefined, 'No file has duplicates.'],
    [undefined, 'Every file was accessed within 6 months.'],
    [undefined, 'Every file was accessed within 12 months.'],
  ])
})

test('folders in others, deleted ones and those of deleted storages are not searched', () => {
  const items = [item(1, '/raw'), item(1, '/raw/day', { isNested: true }), item(1, '/gone', { isGone: true })]
  const first = { ...share(1, 'crawl.files', null), projectItems: items } as ProjectShare
  const deleted = { ...share(2, 'crawl.files', null), isDeleted: true }
  expect(searchOfProject(project(first, deleted))).toEqual({ volumeId: ['1'], startingPath: '/raw' })
  expect(searchOfProject(project(deleted))).toBeUndefined()
})

test('the insight about a year joins the one about half a year', () => {
  const pairs = (share: ProjectShare) =>
    withOlder(insightsOf(project(share), '2')).map(({ phrase, older }) => [phrase, older?.amount])
  const films = share(1, 'crawl.files', 1)
  expect(pairs(films)).toEqual([
    ['with duplicates', undefined],
    ['not accessed for 6 months', '3.00 GiB in 3 files'],
  ])
  const recent = { ...films.statistics, ACCESS_DATE: { '1 week': counted(10) } }
  expect(pairs({ ...films, statistics: recent }).at(-1)).toEqual([
    'Every file was accessed within 6 months.',
    undefined,
  ])
})
