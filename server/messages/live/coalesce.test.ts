import { expect, test } from 'vitest'
import { scanRecordOf } from '#events/testing.ts'
import type { LoggedEvent } from '#events/event-log/calls.ts'
import type { JobRow } from '#events/jobs/calls.ts'
import type { LiveEvent } from '#events/live.ts'
import { coalesce } from './coalesce.ts'
import { progressed } from './testing.ts'

const changed = (scanId: number, state: 'running' | 'done' = 'running'): LiveEvent => ({
  type: 'scanChanged',
  scan: scanRecordOf(scanId, state),
})
const gathered = (...events: LiveEvent[]) => events.reduce<LiveEvent[]>(coalesce, [])

test('of the progress of one scan only the last is kept', () => {
  expect(gathered(progressed(1, 1), progressed(2, 1), progressed(1, 2), progressed(1, 3))).toEqual([
    progressed(2, 1),
    progressed(1, 3),
  ])
})

test('of the states of one scan only the last is kept, and its progress stays', () => {
  expect(gathered(changed(1), progressed(1, 5), changed(1, 'done'), changed(2))).toEqual([
    progressed(1, 5),
    changed(1, 'done'),
    changed(2),
  ])
})

test('a whole dashboard replaces earlier events of scans', () => {
  const dashboard: LiveEvent = { type: 'dashboard', dashboard: { indexingDate: null, storages: [], scans: [] } }
  expect(gathered(dashboard, changed(1), progressed(1, 1), dashboard, changed(2))).toEqual([
    progressed(1, 1),
    dashboard,
    changed(2),
  ])
})

test('changed topics are named once', () => {
  expect(
    gathered({ type: 'changed', topics: ['jobs'] }, changed(1), { type: 'changed', topics: ['tags', 'jobs'] }),
  ).toEqual([changed(1), { type: 'changed', topics: ['jobs', 'tags'] }])
})

test('appended events are gathered in order', () => {
  const logged = (...positions: number[]): LiveEvent => ({ type: 'logged', events: positions.map(loggedEvent) })
  expect(gathered(logged(1, 2), logged(3))).toEqual([logged(1, 2, 3)])
})
const loggedEvent = (position: number): LoggedEvent => ({
  position,
  stream: 'job-1',
  version: position,
  type: 'TaskStarted',
  actor: 'system',
  address: null,
  at: '2026-01-01T00:00:00.000Z',
  data: {},
})

test('of the rows of a job the one with the highest version is kept', () => {
  const rows = (...versions: [id: number, version: number][]): LiveEvent => ({
    type: 'jobs',
    jobs: versions.map(([id, version]) => jobRowOf(id, version)),
  })
  expect(gathered(rows([1, 2], [2, 5]), rows([2, 4], [3, 1]), rows([1, 3]))).toEqual([rows([1, 3], [2, 5], [3, 1])])
})
const jobRowOf = (id: number, version: number): JobRow => ({
  id,
  version,
  type: 'SCAN_ON_PREMISES',
  status: 'RUNNING',
  serverId: 1,
  agentName: 'one',
  userId: null,
  storages: [],
  storageCount: 0,
  createdAt: '2026-01-01T00:00:00.000Z',
  startedAt: null,
  updatedAt: '2026-01-01T00:00:00.000Z',
  payload: { volumes: [1], cloneIndex: true },
  result: null,
})
