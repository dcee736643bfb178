import { expect, test } from 'vitest'
import { costTexts, moneyText } from './money.ts'

const dollars = (...costs: (number | null)[]) => costTexts(costs.map((cost) => ({ currencySymbol: '$', cost })))

test('money has two decimals, and what costs something never reads as nothing', () => {
  expect([1234.5, 0.005, 0].map((amount) => moneyText(amount, '$'))).toEqual(['$ 1,234.50', '$ 0.01', '$ 0.00'])
  expect(moneyText(0.004, 'CHF')).toBe('< CHF 0.01')
})

test('the amounts of a table add up to its total', () => {
  expect(dollars(1 / 3, 1 / 3, 1 / 3)).toEqual(['$ 0.34', '$ 0.33', '$ 0.33'])
  expect(dollars(0.125, 0.125)).toEqual(['$ 0.13', '$ 0.12'])
  expect(dollars(0.29, 1.1)).toEqual(['$ 0.29', '$ 1.10'])
  expect(dollars(0.004, 5.004)).toEqual(['$ 0.01', '$ 5.00'])
  expect(dollars(0.001, 5)).toEqual(['< $ 0.01', '$ 5.00'])
})

test('each currency adds up on its own, and what has no price is a dash', () => {
  const costs = [
    { currencySymbol: '$', cost: 0.126 },
    { currencySymbol: '€', cost: 0.126 },
    { currencySymbol: null, cost: null },
  ]
  expect(costTexts(costs)).toEqual(['$ 0.13', '€ 0.13', '-'])
  expect(costTexts([])).toEqual([])
})
