import { expect, test } from 'vitest'
import { jobRow } from '#client/testing/examples.ts'
import { jobName, jobSubject, jobTitle, outcomeText, reasonText, storagesText } from './jobWords.ts'

const films = { id: 1, name: 'Films' }
const music = { id: 2, name: 'Music' }
const scan = (changes: Parameters<typeof jobRow>[1] = {}) =>
  jobRow(7, { storages: [films, music], storageCount: 2, ...changes })
const report = jobRow(8, {
  type: 'GENERATE_REPORT',
  payload: { templateId: 3, name: 'Old files' },
  storages: [],
  storageCount: 0,
})

test('a job is named by its storages, or by its type and its report', () => {
  expect(storagesText({ storages: [films], storageCount: 1 })).toBe('Films')
  expect(storagesText({ storages: [films], storageCount: 1_204 })).toBe('Films and 1,203 more')
  expect(jobSubject(scan())).toBe('Films and 1 more')
  expect(jobSubject(report)).toBe('Generate report: Old files')
  expect([jobName(report), jobName(scan())]).toEqual(['Old files (report)', 'Scan On-Premises'])
  expect(jobTitle({ type: 'GENERATE_REPORT', payload: { templateId: 3 } })).toBe('Generate report')
})

test('a reason names the storage if the job has several', () => {
  const failed = [{ id: 2, reason: 'not mounted' }]
  expect(reasonText(scan({ status: 'WARNING', result: { failedScanVolumeSettings: failed } }))).toBe(
    'Music: not mounted',
  )
  expect(
    reasonText(
      scan({
        status: 'FAILURE',
        result: { failedScanVolumeSettings: [...failed, { id: 1, reason: 'connection refused' }] },
      }),
    ),
  ).toBe('Music: not mounted (and 1 more)')
  expect(
    reasonText(jobRow(7, { status: 'FAILURE', result: { failedScanVolumeSettings: [{ id: 1, reason: 'timeout' }] } })),
  ).toBe('timeout')
})

test('a reason is from the job, its failed files, or what it waits for; a success needs none', () => {
  expect(reasonText({ ...report, status: 'FAILURE', result: { reason: 'Out of memory' } })).toBe('Out of memory')
  expect(reasonText({ ...report, status: 'WARNING', result: { toDo: 8, failed: 5 } })).toBe('5 of 8 files failed')
  expect(reasonText(scan({ status: 'RUNNING', result: { note: 'Waiting for tape A00012' } }))).toBe(
    'Waiting for tape A00012',
  )
  expect(reasonText(scan({ status: 'SUCCESS', result: { note: 'All of it was scanned' } }))).toBe('')
})

test('a sentence says what ran, on which storage, and how it ended', () => {
  expect(outcomeText(scan({ status: 'FAILURE' }))).toBe('Scan of Films and 1 more failed.')
  expect(outcomeText(scan({ status: 'WAITING' }))).toBe('Scan of Films and 1 more is paused.')
  expect(outcomeText(report)).toBe('Generate report: Old files succeeded.')
})
