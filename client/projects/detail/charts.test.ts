import { expect, test } from 'vitest'
import type { ProjectAtDate, ProjectItem } from '#events/projects/calls.ts'
import { ageChart, duplicateChart } from './folderCharts.ts'
import { historyLine, layersOf, marksOf, stackedLine } from './historyChart.ts'

const KiB = 1_024
const date = (indexingDate: string, ...sizes: number[]): ProjectAtDate => ({
  indexingDate,
  sizeOfFiles: sizes.reduce((sum, size) => sum + size, 0),
  projectShares: sizes.map((sizeOfFiles, place) => ({ volumeId: place + 1, volumeName: `v${place + 1}`, sizeOfFiles })),
})
const item = {
  volumeId: 1,
  path: '/raw',
  pathOnDate: '/raw',
  sizeOfFiles: 10 * KiB,
  numberOfFiles: 4,
  statistics: {
    DUPLICATE: { duplicate: { sizeOfFiles: 4 * KiB, numberOfFiles: 2 } },
    MODIFIED_DATE: {
      '1 week': { sizeOfFiles: 7 * KiB, numberOfFiles: 3 },
      older: { sizeOfFiles: 3 * KiB, numberOfFiles: 1 },
    },
    ACCESS_DATE: {},
  },
} as unknown as ProjectItem

test('a folder shows what of it has duplicates, which leads to those', () => {
  const { parts, searches } = duplicateChart(item, '2')
  expect(parts.map(({ label, text, isPickable }) => [label, text, isPickable])).toEqual([
    ['With duplicates', '4.00 KiB', true],
    ['Others', '6.00 KiB', false],
  ])
  expect(searches.get('duplicates')).toEqual({ volumeId: ['1'], startingPath: '/raw', onlyDuplicates: 'true' })
})

test('a folder shows its files by six ages, and each links to its own files', () => {
  const { parts, searches } = ageChart(item, 'MODIFIED_DATE', '2026-11-25', '2')
  expect(parts.map(({ label, text }) => `${label}: ${text}`)).toEqual([
    'Up to 1 week: 7.00 KiB',
    '1 week to 1 month: 0 B',
    '1 month to 3 months: 0 B',
    '3 months to 6 months: 0 B',
    '6 months to 1 year: 0 B',
    'Over 1 year: 3.00 KiB',
  ])
  const folder = { volumeId: ['1'], startingPath: '/raw' }
  expect(searches.get('1 week')).toEqual({ ...folder, lastModifiedAfter: '2026-11-18' })
  expect(searches.get('1 month')).toEqual({
    ...folder,
    lastModifiedAfter: '2026-10-25',
    lastModifiedBefore: '2026-11-18',
  })
  expect(searches.get('older')).toEqual({ ...folder, lastModifiedBefore: '2025-11-25' })
})

test('the history of a project is a line, and by storage a stack of the largest', () => {
  const dates = [date('2026-11-24', 1 * KiB, 0), date('2026-11-25', 1 * KiB, 2 * KiB)]
  expect(historyLine(dates, '2', 4 * KiB)).toMatchObject({
    summary: 'Size: 1.00 KiB on 2026-11-24, 3.00 KiB on 2026-11-25.',
    limit: { value: 4 * KiB, line: 'Allocated 4.00 KiB' },
  })
  expect(historyLine(dates, '2', 100 * KiB).limit).toBeUndefined()
  expect(layersOf(dates).map(({ label, values, role }) => [label, values, role])).toEqual([
    ['v2', [0, 2 * KiB], 'category-1'],
    ['v1', [KiB, KiB], 'category-2'],
  ])
  expect(stackedLine(dates, '2', 4 * KiB)).toMatchObject({
    columns: ['Date', 'Size', 'v2', 'v1'],
    parts: [{ cells: ['1.00 KiB', '0 B', '1.00 KiB'] }, { cells: ['3.00 KiB', '2.00 KiB', '1.00 KiB'] }],
  })
  const many = layersOf([date('2026-11-25', 8, 7, 6, 5, 4, 3, 2, 1)])
  expect(many.map(({ label, values }) => [label, ...values])).toEqual([
    ['v1', 8],
    ['v2', 7],
    ['v3', 6],
    ['v4', 5],
    ['v5', 4],
    ['Other', 6],
  ])
})

test('changes of its folders are shown on their days', () => {
  const changed = (at: string, added: string[], removed: string[]) => ({ at, by: 'ana', added, removed })
  const changes = [
    changed('2026-10-01T08:00:00Z', ['/a'], []),
    changed('2026-11-24T08:00:00Z', ['/b', '/c'], []),
    changed('2026-11-24T09:00:00Z', [], ['/a']),
    changed('2026-11-25T09:00:00Z', [], []),
  ]
  expect(marksOf(changes, { from: '2026-11-01', to: '2026-11-25' })).toEqual([
    { day: '2026-11-24', label: '+2 −1' },
    { day: '2026-11-25', label: 'made' },
  ])
})
