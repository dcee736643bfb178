import { expect, test } from 'vitest'
import { boundsOf, readWindow, type WindowChoice, writeWindow } from './timeWindow.ts'

const active = '2026-11-21'
const read = (address: string) => readWindow(new URLSearchParams(address), active)

test('without a choice the last 30 days are shown, the active date among them', () => {
  expect(read('')).toEqual({ choice: '30', from: '2026-10-23', to: active })
  expect(read('window=7')).toEqual({ choice: '7', from: '2026-11-15', to: active })
  expect(read('window=90')).toEqual({ choice: '90', from: '2026-08-24', to: active })
  expect(read('window=8&from=x')).toEqual(read(''))
})

test('days of one’s own end one day after the active date at the latest, and after they begin', () => {
  expect(read('from=2026-01-01&to=2026-02-01')).toEqual({ choice: 'custom', from: '2026-01-01', to: '2026-02-01' })
  expect(read('from=2026-01-01&to=2027-01-01')).toEqual({ choice: 'custom', from: '2026-01-01', to: '2026-11-22' })
  expect(read('from=2026-12-24&to=2026-03-01')).toEqual({ choice: 'custom', from: '2026-03-01', to: '2026-03-01' })
  expect(read('from=2026-11-01')).toEqual({ choice: 'custom', from: '2026-11-01', to: active })
  expect(read('to=2026-03-31')).toEqual({ choice: 'custom', from: '2026-03-02', to: '2026-03-31' })
  expect(boundsOf({ from: '2026-01-01', to: '2026-02-01' }, active)).toEqual({
    latestFrom: '2026-02-01',
    earliestTo: '2026-01-01',
    latestTo: '2026-11-22',
  })
})

test('values written into an address are read from it, and the rest of it stays', () => {
  const shown = { from: '2026-05-01', to: '2026-06-01' }
  for (const choice of ['7', '30', '90', 'custom'] satisfies WindowChoice[]) {
    const query = new URLSearchParams('date=2026-11-01&window=90&from=2020-01-01&to=2020-01-02')
    writeWindow(query, choice, shown)
    expect(readWindow(query, active)).toMatchObject({ choice, ...(choice === 'custom' && shown) })
    expect(query.get('date')).toBe('2026-11-01')
  }
})
