import { expect, test } from 'vitest'
import type { Dashboard } from '#events/dashboard.ts'
import type { JobRow } from '#events/jobs/calls.ts'
import type { CheckedReport } from '#events/reports/runs.ts'
import { scanRecordOf } from '#events/testing.ts'
import { foldRows } from '#client/app/live/jobRows.ts'
import { hasNewCheckFailure, hasNewFailure, hasPassedCritical } from './alarms.ts'
import { areaOf } from './boards/GrowthArea.tsx'
import { jobLines } from './boards/jobLines.ts'

const dashboardOf = (...used: (number | null)[]): Dashboard => ({
  indexingDate: '2026-01-01',
  scans: [],
  storages: used.map(
    (used, volumeId) => ({ volumeId, used, total: 1_050, free: 1_000 - (used ?? 0) }) as Dashboard['storages'][number],
  ),
})
const now = Date.parse('2026-01-02T12:00:00Z')
const jobOf = (id: number, status: JobRow['status'], more: Partial<JobRow> = {}) =>
  ({ id, status, version: 1, updatedAt: '2026-01-02T11:00:00Z', startedAt: null, result: null, ...more }) as JobRow
const jobsOf = (...rows: JobRow[]) => foldRows(new Map(), rows)

test('a storage that passes 90 % is an alarm, once', () => {
  expect(hasPassedCritical(dashboardOf(899), dashboardOf(900))).toBe(true)
  expect(hasPassedCritical(dashboardOf(900), dashboardOf(950))).toBe(false)
  expect(hasPassedCritical(dashboardOf(950), dashboardOf(899))).toBe(false)
})

test('a storage that was not known causes no alarm', () => {
  expect(hasPassedCritical(undefined, dashboardOf(950))).toBe(false)
  expect(hasPassedCritical(dashboardOf(10), dashboardOf(10, 950))).toBe(false)
  expect(hasPassedCritical(dashboardOf(null), dashboardOf(950))).toBe(false)
})

test('a job that fails is an alarm, whether its row was known or not, but not what failed before', () => {
  const before = jobsOf(jobOf(1, 'RUNNING'), jobOf(2, 'FAILURE'))
  expect(hasNewFailure(undefined, before)).toBe(false)
  expect(hasNewFailure(before, foldRows(before, [jobOf(1, 'SCANNER_ERROR', { version: 2 })]))).toBe(true)
  expect(hasNewFailure(before, foldRows(before, [jobOf(3, 'FAILURE')]))).toBe(true)
  expect(hasNewFailure(before, foldRows(before, [jobOf(2, 'FAILURE', { version: 2 })]))).toBe(false)
  expect(hasNewFailure(before, foldRows(before, [jobOf(1, 'WARNING', { version: 2 })]))).toBe(false)
})

test('a check that fails is an alarm, but not one that failed before, warned, or was not known at all', () => {
  const check = (id: number, state: CheckedReport['state']) => ({ id, state }) as CheckedReport
  const before = [check(1, 'PASSED'), check(2, 'FAILED'), check(3, 'PASSED')]
  expect(hasNewCheckFailure(undefined, before)).toBe(false)
  expect(hasNewCheckFailure(before, [check(1, 'FAILED'), check(2, 'FAILED'), check(3, 'PASSED')])).toBe(true)
  expect(hasNewCheckFailure(before, [check(1, 'PASSED'), check(2, 'FAILED'), check(3, 'WARNING')])).toBe(false)
  expect(hasNewCheckFailure(before, [...before, check(4, 'FAILED')])).toBe(true)
})

test('of two rows of a job the newer counts, and the same jobs stay the same', () => {
  const known = jobsOf(jobOf(1, 'SUCCESS', { version: 5 }))
  expect(foldRows(known, [jobOf(1, 'RUNNING', { version: 4 })])).toBe(known)
})

test('with any number of jobs a fixed number is kept, and open ones are never dropped for others', () => {
  let jobs = jobsOf(jobOf(1, 'RUNNING', { updatedAt: '2020-01-01T00:00:00Z' }))
  for (let id = 2; id < 3_000; id++)
    jobs = foldRows(jobs, [jobOf(id, 'SUCCESS', { updatedAt: new Date(now + id).toISOString() })], 500)
  expect(jobs.size).toBe(500)
  expect([jobs.has(1), jobs.has(2), jobs.has(2_999)]).toEqual([true, false, true])
})

test('failures of a day are first, then running jobs with their scans, then warnings, then waiting jobs', () => {
  const scans = [scanRecordOf(7, 'running'), scanRecordOf(8, 'committing'), scanRecordOf(9, 'waiting')]
  const dashboard = { ...dashboardOf(), scans: scans.map((scan) => ({ ...scan, jobId: 4 })) }
  const jobs = jobsOf(
    jobOf(1, 'NEW'),
    jobOf(2, 'FAILURE', { updatedAt: '2026-01-01T11:59:00Z' }),
    jobOf(3, 'FAILURE', { updatedAt: '2026-01-01T12:01:00Z' }),
    jobOf(4, 'RUNNING'),
    jobOf(5, 'SUCCESS'),
    jobOf(6, 'SCANNER_ERROR'),
    jobOf(7, 'WARNING'),
  )
  const { lines, ...counts } = jobLines(jobs, dashboard, now)
  expect(counts).toEqual({ failed: 2, warned: 1, running: 1, waiting: 1 })
  expect(lines.map(({ key }) => key)).toEqual(['job-6', 'job-3', 'scan-7', 'scan-8', 'job-7', 'job-1'])
})

test('an area begins at nothing, so that what hardly changed is seen to have hardly changed', () => {
  const points = (...sizes: number[]) =>
    sizes.map((sizeOfFiles, i) => ({ indexingDate: `2026-01-0${i + 1}`, sizeOfFiles, isPartial: false }))
  const grown = { line: 'M0 75L50 25L100 0', area: 'M0 75L50 25L100 0V100H0Z', high: 40 }
  expect(areaOf(points(10, 30, 40))).toEqual(grown)
  expect(areaOf(points(95, 100))).toMatchObject({ line: 'M0 5L100 0' })
  expect(areaOf(points(100, 100))).toMatchObject({ line: 'M0 0L100 0' })
  expect(areaOf(points(0, 0))).toMatchObject({ line: 'M0 100L100 100' })
})
