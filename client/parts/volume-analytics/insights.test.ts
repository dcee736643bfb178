import { expect, test } from 'vitest'
import type { StoragePrice } from '#events/price-books.ts'
import { insightOf, questionsOf } from './insights.ts'

const price: StoragePrice = { id: 1, description: 'Gold', price: 0.12, currencySymbol: '$', classes: [] }
const GiB = 1024 ** 3

test('cold files are requested by calendar months before the snapshot, if a storage supports it', () => {
  const filtersOf = (type: string) =>
    questionsOf({ type, indexingDate: '2026-05-31', accessTimes: 'recorded' }).map(({ filters }) => filters)
  expect(filtersOf('crawl.files')).toEqual([
    { lastAccessBefore: '2026-02-28' },
    { lastAccessBefore: '2025-11-30' },
    { lastAccessBefore: '2025-05-31' },
    { onlyDuplicates: 'true' },
  ])
  expect(filtersOf('AWS-S3')).toEqual([{ onlyDuplicates: 'true' }])
})

test('cold files are not requested if access times are frozen or missing', () => {
  for (const accessTimes of ['frozen', 'missing'] as const)
    expect(
      questionsOf({ type: 'crawl.files', indexingDate: '2026-05-31', accessTimes }).map(({ filters }) => filters),
    ).toEqual([{ onlyDuplicates: 'true' }])
})

test('possible savings are shown if they are more than 0.01 a month', () => {
  const [question] = questionsOf({ type: 'crawl.files', indexingDate: '2026-05-31', accessTimes: 'recorded' })
  const saving = (size: number, storagePrice: StoragePrice | null = price) =>
    insightOf(question!, { count: 2, size }, { sizeOfFiles: 400 * GiB, storagePrice }, '2').saving
  expect(saving(100 * GiB)).toBe('$1.00 per month')
  expect(saving(GiB)).toBeUndefined()
  expect(saving(1.5 * GiB)).toBe('$0.02 per month')
  expect(saving(100 * GiB, null)).toBeUndefined()
  const classes = [{ storageClass: 'GLACIER', price: 0.01, sizeOfFiles: GiB }]
  expect(saving(100 * GiB, { ...price, classes })).toBe('about $1.00 per month')
  const insight = insightOf(
    question!,
    { count: 1, size: 100 * GiB },
    { sizeOfFiles: 400 * GiB, storagePrice: null },
    '2',
  )
  expect(insight).toMatchObject({ amount: '100 GiB in 1 file', share: 0.25 })
})

test('of duplicates all copies but one could be saved', () => {
  const duplicates = questionsOf({ type: 'AWS-S3', indexingDate: '2026-05-31', accessTimes: 'recorded' })[0]!
  const found = { count: 3, size: 300 * GiB, reclaimable: 200 * GiB }
  const insight = insightOf(duplicates, found, { sizeOfFiles: 400 * GiB, storagePrice: price }, '2')
  expect(insight).toMatchObject({ reclaimable: '200 GiB reclaimable', share: 0.75, saving: '$2.00 per month' })
  expect(duplicates.rule).toMatch(/Contents are compared only/)
  const sparse = { ...found, billedSize: 30 * GiB, billedReclaimable: 100 * GiB }
  expect(insightOf(duplicates, sparse, { sizeOfFiles: 400 * GiB, storagePrice: price }, '2').saving).toBe(
    '$1.00 per month',
  )
})
