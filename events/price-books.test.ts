import { expect, test } from 'vitest'
import { costOfClasses } from './price-books.ts'

const GiB = 2 ** 30
const prices = {
  price: 6,
  classes: [
    { storageClass: 'STANDARD', price: 12, sizeOfFiles: GiB },
    { storageClass: 'GLACIER', price: 1.2, sizeOfFiles: GiB },
    { storageClass: '', price: 24, sizeOfFiles: GiB },
  ],
}
const costs = (gibibytes: number, classes?: Record<string, number>, of: typeof prices = prices) =>
  costOfClasses({ sizeOfFiles: gibibytes * GiB, classes }, of)

test('bytes cost the price of their storage class', () => {
  expect(costs(3, { STANDARD: GiB, GLACIER: 2 * GiB })).toBeCloseTo(1.2)
  expect(costs(1, { STANDARD: GiB })).toBe(1)
})

test('bytes without a storage class cost as much as such files, or the average if there are none', () => {
  expect([costs(1), costs(1, { '': GiB }), costs(2, { STANDARD: GiB })]).toEqual([2, 2, 3])
  expect(costs(1, undefined, { ...prices, classes: prices.classes.slice(0, 2) })).toBe(0.5)
})

test('where all classes cost the same there is one price', () =>
  expect(costs(2, { STANDARD: GiB, GLACIER: GiB }, { price: 12, classes: [] })).toBe(2))
