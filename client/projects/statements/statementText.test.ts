import { expect, test } from 'vitest'
import { chargedText, monthText } from '#events/projects/statementWords.ts'
import { costsText, daysText, monthState } from './statementText.ts'

test('a month reads as people call it', () => expect(monthText('2026-10')).toBe('October 2026'))

test('a statement names its days, and those without data', () => {
  const month = { month: '2026-11', lastDay: '2026-11-26', daysWithoutData: 0 }
  expect(chargedText(month)).toBe('Charged: November 1–26.')
  expect(chargedText({ ...month, lastDay: '2026-11-01', daysWithoutData: 1 })).toBe(
    'Charged: November 1. 1 day has no data for this project and counts as zero.',
  )
  expect(chargedText({ ...month, daysWithoutData: null })).toBe('Charged: November 1–26.')
  expect([daysText(month), daysText({ ...month, daysWithoutData: 22 })]).toEqual([
    'November 1–26',
    'November 1–26, 22 without data',
  ])
})

test('costs are next to each other by currency', () => {
  const costs = [
    { currencySymbol: '$', cost: 1234.5 },
    { currencySymbol: '€', cost: 2 },
  ]
  expect([costsText(costs), costsText([])]).toEqual(['$1,234.50 + €2.00', '-'])
})

test('a month is closed, in progress, or being counted', () => {
  const month = {
    month: '2026-10',
    lastDay: '2026-10-31',
    daysWithoutData: 0,
    averageBytes: 0,
    costs: [],
    closedAt: null,
    isComplete: true,
  }
  expect(monthState({ ...month, closedAt: '2026-11-01T00:05:00Z' }, false)).toBe('Closed')
  expect([monthState(month, true), monthState(month, false)]).toEqual(['So far', 'Being closed'])
  expect(monthState({ ...month, isComplete: false }, false)).toBe('Still counting')
})
