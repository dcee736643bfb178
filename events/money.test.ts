import { expect, test } from 'vitest'
import { costTexts, decimalsOf, moneyText, roundedCosts } from './money.ts'

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

test('amounts have the decimals of their currency, by its code or symbol', () => {
  const of = (decimals: number, ...symbols: string[]) =>
    expect(symbols.map((symbol) => [symbol, decimalsOf(symbol)])).toEqual(symbols.map((symbol) => [symbol, decimals]))
  of(0, '¥', '￥', '円', 'JPY', 'jpy', 'JPY ¥', '¥ (JPY)', '₩', 'KRW', '₫', 'CLP', 'FCFA', 'ISK')
  of(2, '$', '€', 'CHF', 'CN¥', '¥ (CNY)', 'CNY', 'kr', 'credits', '', 'US$', 'TWD')
  of(3, 'KWD', 'BHD', 'TND', 'د.ك')
  of(4, 'CLF')
  expect([0, 0.32, 0.5, 1234.56].map((amount) => moneyText(amount, '¥'))).toEqual(['¥0', '< ¥1', '¥1', '¥1,235'])
  expect(moneyText(1.2345, 'KWD')).toBe('KWD\u{A0}1.235')
})

test('the rounded costs of such a currency add up, too', () => {
  const of = (currencySymbol: string, ...costs: number[]) => costs.map((cost) => ({ cost, currencySymbol }))
  expect(roundedCosts([...of('¥', 0.6, 0.6, 0.6), ...of('$', 0.006, 0.006)])).toEqual([1, 1, 0, 0.01, 0])
  expect(costTexts(of('₩', 33.4, 33.3, 33.3))).toEqual(['₩34', '₩33', '₩33'])
  expect(roundedCosts(of('KWD', 0.0004, 0.0004, 2.01))).toEqual([0.001, 0, 2.01])
})
