import { expect, test } from 'vitest'
import type { DetailedVolume } from '#events/storages.ts'
import { costsOf } from './costs.ts'

const gib = 2 ** 30
const price = { id: 1, description: 'Cold', currencySymbol: '$', price: 12, classes: [] }
const volume = { sizeOfFiles: 10 * gib, used: 12 * gib, total: 20 * gib, storagePrice: price }
const costs = (changes: Partial<DetailedVolume> = {}) =>
  costsOf({ ...volume, ...changes } as DetailedVolume, 'Monthly').map(({ name, text }) => `${name} ${text}`)

test('a storage costs what its files do, and what its capacity does where that is known', () => {
  expect(costs()).toEqual(['Files $10.00', 'Used capacity $12.00', 'Whole capacity $20.00'])
  expect(costs({ used: null, total: null })).toEqual(['Files $10.00'])
  expect(costs({ storagePrice: null })).toEqual([])
})

test('different prices of storage classes are listed, and capacity is an estimate', () => {
  const classes = [
    { storageClass: 'GLACIER', price: 3, sizeOfFiles: 8 * gib },
    { storageClass: '', price: 18, sizeOfFiles: 2 * gib },
  ]
  expect(costs({ storagePrice: { ...price, price: 6, classes }, used: null })).toEqual([
    'Files $5.00',
    'GLACIER $2.00',
    'No storage class $3.00',
    'Whole capacity about $10.00',
  ])
})

test('files cost by their size basis', () => {
  expect(costs({ billedSize: 2 * gib })[0]).toBe('Files $2.00')
})
