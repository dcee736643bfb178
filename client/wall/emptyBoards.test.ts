import { expect, test } from 'vitest'
import type { Dashboard } from '#events/dashboard.ts'
import type { JobRow } from '#events/jobs/calls.ts'
import type { CheckedReport } from '#events/reports/runs.ts'
import { emptyBoards } from './emptyBoards.ts'

const now = Date.parse('2026-01-02T12:00:00Z')
const nothing = {
  dashboard: { storages: [], scans: [] } as unknown as Dashboard,
  jobs: new Map(),
  checks: [],
  growth: [],
  growing: [],
  agents: [],
}
const unknown = {
  dashboard: undefined,
  jobs: undefined,
  checks: undefined,
  growth: undefined,
  growing: undefined,
  agents: undefined,
}
const empty = (changes: Partial<Parameters<typeof emptyBoards>[0]>) => [...emptyBoards({ ...nothing, ...changes }, now)]

test('without any data all boards are empty; boards that are loading are not', () => {
  expect(empty({})).toEqual(['capacity', 'jobs', 'growth', 'now', 'map', 'agents'])
  expect(empty(unknown)).toEqual([])
})

test('failures and warnings fill the board of jobs, and work also the board of agents; an old failure does not', () => {
  const job = (changes: Partial<JobRow>) => ({
    jobs: new Map([[1, { id: 1, updatedAt: '2026-01-02T11:00:00Z', ...changes } as JobRow]]),
  })
  expect(empty(job({ status: 'RUNNING' }))).toEqual(['capacity', 'growth', 'now', 'map'])
  expect(empty(job({ status: 'FAILURE' }))).not.toContain('jobs')
  expect(empty(job({ status: 'WARNING' }))).not.toContain('jobs')
  expect(empty(job({ status: 'WARNING' }))).toContain('agents')
  expect(empty(job({ status: 'FAILURE', updatedAt: '2025-12-31T11:00:00Z' }))).toContain('jobs')
  expect(empty({ checks: [{ state: 'FAILED' } as CheckedReport] })).not.toContain('jobs')
})

test('the map needs stored bytes, the growth a second snapshot', () => {
  const storages = [{ used: 0, sizeOfFiles: 0 }] as Dashboard['storages']
  expect(empty({ dashboard: { storages, scans: [], indexingDate: null } })).toEqual([
    'jobs',
    'growth',
    'now',
    'map',
    'agents',
  ])
  const point = { indexingDate: '2026-01-01', sizeOfFiles: 1, isPartial: false }
  expect(empty({ growth: [point] })).toContain('growth')
  expect(empty({ growth: [point, point] })).not.toContain('growth')
})
