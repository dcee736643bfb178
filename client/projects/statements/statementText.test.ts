import { expect, test } from 'vitest'
import { costsText, monthState, monthText } from './statementText.ts'

test('a month reads as people call it', () => expect(monthText('2026-10')).toBe('October 2026'))

test('costs stand beside each other by currency', () => {
  const costs = [
    { currencySymbol: '$', cost: 1234.5 },
    { currencySymbol: '€', cost: 2 },
  ]
  expect([costsText(costs), costsText([])]).toEqual(['$1,234.50 + €2.00', '-'])
})

test('a month is closed, goes on, or is being counted', () => {
  const month = { month: '2026-10', averageBytes: 0, costs: [], closedAt: null, isComplete: true }
  expect(monthState({ ...month, closedAt: '2026-11-01T00:05:00Z' }, false)).toBe('Closed')
  expect([monthState(month, true), monthState(month, false)]).toEqual(['So far', 'Being closed'])
  expect(monthState({ ...month, isComplete: false }, false)).toBe('Still counting')
})
