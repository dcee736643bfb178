import { expect, test } from 'vitest'
import { costTexts, moneyText, roundedCosts } from './money.ts'

const lines = (...costs: number[]) => costs.map((cost) => ({ cost, currencySymbol: '$' }))

test('the rounded costs of a table add up to its rounded total', () => {
  expect(roundedCosts(lines(0.335, 0.335, 0.33))).toEqual([0.34, 0.33, 0.33])
  expect(roundedCosts(lines(0.004, 0.004, 0.004))).toEqual([0.01, 0, 0])
  expect(roundedCosts(lines(1.005, 2.01, 3))).toEqual([1.01, 2.01, 3])
})

test('each currency adds up by itself, and a cost without a price stays unknown', () => {
  const mixed = [...lines(0.006, 0.006), { cost: 0.006, currencySymbol: '€' }, { cost: null, currencySymbol: null }]
  expect(roundedCosts(mixed)).toEqual([0.01, 0, 0.01, null])
  expect(costTexts(mixed)).toEqual(['$0.01', '< $0.01', '€0.01', undefined])
})

test('an amount under a cent never reads as zero', () => {
  expect(moneyText(0.001, '$')).toBe('< $0.01')
  expect(costTexts(lines(0.004, 0.001))).toEqual(['$0.01', '< $0.01'])
  expect([1234.5, 0.005, 0].map((amount) => moneyText(amount, '$'))).toEqual(['$1,234.50', '$0.01', '$0.00'])
})
