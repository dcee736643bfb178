import { expect, test } from 'vitest'
import { percentLevel } from './Percent.tsx'
import { timelineChart } from './timelineChart.ts'

const at = (indexingDate: string, used: number | null, total: number | null) => ({
  indexingDate,
  scannedOn: indexingDate,
  used,
  free: total === null || used === null ? null : total - used,
  total,
  sizeOfFiles: 10,
  numberOfFiles: 1,
})
const limitAt = (...used: number[]) =>
  timelineChart(
    used.map((used) => at('2026-01-01', used, 1000)),
    '10',
  ).limit

test('reserved and free space over the capacity is shown from 70 % on, and the end from 80 % on', () => {
  expect(limitAt(10, 699)).toBeUndefined()
  expect(limitAt(700, 10)).toEqual({ value: 1000, box: 'Over capacity', line: undefined })
  expect(limitAt(799)?.line).toBeUndefined()
  expect(limitAt(800)).toEqual({ value: 1000, box: 'Over capacity', line: 'Max 1.00 kB' })
  expect(limitAt(1200)?.line).toBe('Max 1.00 kB')
  expect(limitAt()).toBeUndefined()
})

test('the newest capacity counts', () => {
  const grown = timelineChart([at('2026-01-01', 700, 1000), at('2026-01-02', 800, 2000)], '10')
  expect(grown.limit).toBeUndefined()
  expect(grown.parts.map(({ cells }) => cells[1])).toEqual(['70.0 % of 1.00 kB', '40.0 % of 2.00 kB'])
  expect(grown.summary).toBe('Used: 700 B on 2026-01-01, 800 B on 2026-01-02.')
})

test('space reserved for the system cannot be filled by users', () => {
  const { limit, parts } = timelineChart([{ ...at('2026-01-01', 800, 1000), free: 150 }], '10')
  expect(limit).toEqual({ value: 950, box: 'Over capacity', line: 'Max 950 B' })
  expect(parts[0]?.cells[1]).toBe('84.2 % of 950 B')
})

test('of a storage without a capacity the size of its files is shown', () => {
  const chart = timelineChart([at('2026-01-01', null, null)], '10')
  expect(chart).toMatchObject({ limit: undefined, columns: ['Date', 'Size of files', 'Files'] })
  expect(chart.parts[0]).toMatchObject({ value: 10, cells: ['10 B', '1 file'] })
})

test('percentages are judged above 30, 50 and 70', () => {
  expect([0, 0.3, 0.301, 0.5, 0.501, 0.7, 0.7001, 2].map(percentLevel)).toEqual([
    'low',
    'low',
    'ok',
    'ok',
    'attention',
    'attention',
    'critical',
    'critical',
  ])
})

test('days that repeat an older scan have no point', () => {
  const copied = { ...at('2026-01-02', 700, 1000), scannedOn: '2026-01-01' }
  const { parts, summary } = timelineChart([at('2026-01-01', 700, 1000), copied], '10')
  expect(parts.map(({ key }) => key)).toEqual(['2026-01-01'])
  expect(summary).toBe('Used: 700 B on 2026-01-01.')
})
