import { expect, test } from 'vitest'
import type { ReportRun } from '#events/reports/runs.ts'
import { checkText } from '#events/reports/parameterWords.ts'
import { foundParts, foundSummary, foundTotals } from './foundParts.ts'
import { heightsOf, runText, toneOf } from './runTicks.ts'

const none = {
  numberOfFilesFound: null,
  numberOfFilesTotal: null,
  numberOfFoldersFound: null,
  numberOfFoldersTotal: null,
  sizeOfFilesFound: null,
  sizeOfFilesTotal: null,
}
const run = { ...none, startedAt: '2026-11-25T10:02:00', status: 'SUCCESS', check: null } as ReportRun

test('a tick shows the worse of a run and its check', () => {
  const check = (state: 'PASSED' | 'WARNING' | 'FAILED') => ({ ...run, check: { state, reason: '' } })
  const ended = (status: ReportRun['status']) => ({ ...run, status })
  expect([run, check('PASSED'), check('WARNING'), check('FAILED')].map(toneOf)).toEqual([
    'good',
    'good',
    'attention',
    'critical',
  ])
  expect([ended('RUNNING'), ended('FAILURE'), ended('CANCELLED')].map(toneOf)).toEqual(['ok', 'critical', 'quiet'])
})

test('a tick says when a run was, what it found and how it ended', () => {
  expect(runText({ ...run, numberOfFilesFound: 12, check: { state: 'FAILED', reason: '' } })).toBe(
    '2026-11-25 10:02, 12 files found, success, check failed',
  )
  expect(runText({ ...run, status: 'RUNNING' })).toBe('2026-11-25 10:02, running')
})

test('ticks are as high as the maximum of found and missing items', () => {
  expect(heightsOf([{ numberOfFilesFound: 5 }, { numberOfFilesFound: 10 }, { numberOfFilesFound: null }])).toEqual([
    0.5, 1, 0,
  ])
  expect(heightsOf([{ numberOfFilesFound: 0 }])).toEqual([0])
})

test('found items are next to those not found', () => {
  expect(foundTotals(none)).toBeUndefined()
  const measured = foundTotals({
    numberOfFilesFound: 1,
    numberOfFilesTotal: 4,
    numberOfFoldersFound: 0,
    numberOfFoldersTotal: 2,
    sizeOfFilesFound: 1_024,
    sizeOfFilesTotal: 4_096,
  })
  if (!measured) throw new Error('There are figures')
  expect(foundSummary(measured, '2')).toBe('1 file and 0 folders found: 1.00 KiB of 4.00 KiB, 25.0 %')
  expect(foundParts(measured, '2').map(({ value, cells }) => [value, cells.at(-1)])).toEqual([
    [1_024, '25.0 %'],
    [3_072, '75.0 %'],
  ])
})

test('a check reads as a sentence', () => {
  expect(checkText({ level: 'FAIL', rule: 'MORE_FILES_THAN', value: 0 })).toBe('Fails when any file matches')
  expect(checkText({ level: 'FAIL', rule: 'MORE_FILES_THAN', value: 10 })).toBe('Fails when more than 10 files match')
  expect(checkText({ level: 'WARN', rule: 'BYTES_GREW_BY', value: 10 })).toBe(
    'Warns when the total size of matches grows by more than 10 %',
  )
})
