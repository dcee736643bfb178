import { expect, test } from 'vitest'
import { scanRecordOf } from '#events/testing.ts'
import type { LiveEvent } from '#events/live.ts'
import { coalesce } from './coalesce.ts'
import { progress } from './testing.ts'

const progressed = (scanId: number, entries: number): LiveEvent => ({
  type: 'scanProgressed',
  scanId,
  jobId: 1,
  taskId: 1,
  progress: progress(entries),
})
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

test('a whole dashboard replaces what was said of scans before it', () => {
  const dashboard: LiveEvent = { type: 'dashboard', dashboard: { indexingDate: null, storages: [], scans: [] } }
  expect(gathered(dashboard, changed(1), progressed(1, 1), dashboard, changed(2))).toEqual([
    progressed(1, 1),
    dashboard,
    changed(2),
  ])
})

test('changed topics are named once', () => {
  expect(gathered({ type: 'changed', topics: ['a'] }, changed(1), { type: 'changed', topics: ['b', 'a'] })).toEqual([
    changed(1),
    { type: 'changed', topics: ['a', 'b'] },
  ])
})
