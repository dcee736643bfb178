import { expect, test } from 'vitest'
import type { Dashboard } from '#events/dashboard.ts'
import type { JobRow } from '#events/job-calls.ts'
import { scanRecordOf } from '#events/testing.ts'
import { hasFailedAnew, hasPassedCritical } from './alarms.ts'
import { areaOf } from './area.ts'
import { foldRows, jobLines } from './jobsOfWall.ts'

const dashboardOf = (...used: (number | null)[]): Dashboard => ({
  indexingDate: '2026-01-01',
  scans: [],
  storages: used.map((used, volumeId) => ({ volumeId, used, total: 1_000 }) as Dashboard['storages'][number]),
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

test('a storage that was not known is no alarm', () => {
  expect(hasPassedCritical(undefined, dashboardOf(950))).toBe(false)
  expect(hasPassedCritical(dashboardOf(10), dashboardOf(10, 950))).toBe(false)
  expect(hasPassedCritical(dashboardOf(null), dashboardOf(950))).toBe(false)
})

test('a job that fails is an alarm, whether its row was known or not, but not what failed before', () => {
  const before = jobsOf(jobOf(1, 'RUNNING'), jobOf(2, 'FAILURE'))
  expect(hasFailedAnew(undefined, before)).toBe(false)
  expect(hasFailedAnew(before, foldRows(before, [jobOf(1, 'SCANNER_ERROR', { version: 2 })]))).toBe(true)
  expect(hasFailedAnew(before, foldRows(before, [jobOf(3, 'FAILURE')]))).toBe(true)
  expect(hasFailedAnew(before, foldRows(before, [jobOf(2, 'FAILURE', { version: 2 })]))).toBe(false)
  expect(hasFailedAnew(before, foldRows(before, [jobOf(1, 'WARNING', { version: 2 })]))).toBe(false)
})

test('of two rows of a job the newer counts, and the same jobs stay the same', () => {
  const known = jobsOf(jobOf(1, 'SUCCESS', { version: 5 }))
  expect(foldRows(known, [jobOf(1, 'RUNNING', { version: 4 })])).toBe(known)
})

test('however many jobs come and go, so many are kept, and never are open ones left out for others', () => {
  let jobs = jobsOf(jobOf(1, 'RUNNING', { updatedAt: '2020-01-01T00:00:00Z' }))
  for (let id = 2; id < 3_000; id++)
    jobs = foldRows(jobs, [jobOf(id, 'SUCCESS', { updatedAt: new Date(now + id).toISOString() })])
  expect(jobs.size).toBe(500)
  expect([jobs.has(1), jobs.has(2), jobs.has(2_999)]).toEqual([true, false, true])
})

test('failures of a day stand first, then what runs with each of its scans, then what waits', () => {
  const scans = [scanRecordOf(7, 'running'), scanRecordOf(8, 'committing'), scanRecordOf(9, 'waiting')]
  const dashboard = { ...dashboardOf(), scans: scans.map((scan) => ({ ...scan, jobId: 4 })) }
  const jobs = jobsOf(
    jobOf(1, 'NEW'),
    jobOf(2, 'FAILURE', { updatedAt: '2026-01-01T11:59:00Z' }),
    jobOf(3, 'FAILURE', { updatedAt: '2026-01-01T12:01:00Z' }),
    jobOf(4, 'RUNNING'),
    jobOf(5, 'SUCCESS'),
    jobOf(6, 'SCANNER_ERROR'),
  )
  const { lines, ...counts } = jobLines(jobs, dashboard, now)
  expect(counts).toEqual({ failed: 2, running: 1, waiting: 1 })
  expect(lines.map(({ key }) => key)).toEqual(['job-6', 'job-3', 'scan-7', 'scan-8', 'job-1'])
})

test('an area begins at nothing, unless the sizes lie so close together that nobody would see them grow', () => {
  const points = (...sizes: number[]) =>
    sizes.map((sizeOfFiles, i) => ({ indexingDate: `2026-01-0${i + 1}`, sizeOfFiles, isPartial: false }))
  expect(areaOf(points(10, 30, 40))).toEqual({
    line: 'M0 75L50 25L100 0',
    area: 'M0 75L50 25L100 0V100H0Z',
    low: 0,
    high: 40,
  })
  expect(areaOf(points(95, 100))).toMatchObject({ low: 90, line: 'M0 50L100 0' })
  expect(areaOf(points(0, 0))).toMatchObject({ low: 0, line: 'M0 100L100 100' })
})
