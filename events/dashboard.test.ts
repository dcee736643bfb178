import { expect, test } from 'vitest'
import { type Dashboard, evolveDashboard } from './dashboard.ts'
import type { ScanRecord } from './scans/calls.ts'
import type { Progress } from './scans/lifecycle.ts'
import { scanRecordOf } from './testing.ts'

const half: Progress = {
  entries: 5,
  directories: 1,
  bytes: 50,
  unreadable: 0,
  queued: 1,
  rate: 5,
  currentPath: '/a',
}
const dashboard = (...scans: ScanRecord[]): Dashboard => ({ indexingDate: null, storages: [], scans })
const states = ({ scans }: Dashboard) => scans.map(({ scanId, state }) => `${scanId} ${state}`)

test('running scans are first, then the newest ones, at most 25', () => {
  const over = Array.from({ length: 25 }, (_, i) => scanRecordOf(30 - i, 'done'))
  const shown = evolveDashboard(dashboard(...over), { type: 'scanChanged', scan: scanRecordOf(2, 'running') })
  expect(states(shown).slice(0, 3)).toEqual(['2 running', '30 done', '29 done'])
  expect(shown.scans).toHaveLength(25)
  expect(states(evolveDashboard(shown, { type: 'scanChanged', scan: scanRecordOf(2, 'failed') })).at(-1)).toBe(
    '2 failed',
  )
})

test('progress of a running scan is kept when a newer record has none', () => {
  const running = evolveDashboard(dashboard(scanRecordOf(1, 'running')), {
    type: 'scanProgressed',
    scanId: 1,
    progress: half,
  })
  expect(running.scans[0]?.progress).toEqual(half)
  const committing = evolveDashboard(running, { type: 'scanChanged', scan: scanRecordOf(1, 'committing') })
  expect(committing.scans[0]).toEqual(scanRecordOf(1, 'committing', half))
  const anew = evolveDashboard(committing, { type: 'dashboard', dashboard: dashboard(scanRecordOf(1, 'committing')) })
  expect(anew.scans[0]?.progress).toEqual(half)
  const over = evolveDashboard(anew, { type: 'scanChanged', scan: scanRecordOf(1, 'done') })
  expect(over.scans[0]?.progress).toBeNull()
  expect(evolveDashboard(over, { type: 'scanProgressed', scanId: 1, progress: half })).toEqual(over)
})

test('a scan that has ended does not run again because an event is late', () => {
  const over = dashboard(scanRecordOf(1, 'done'))
  expect(evolveDashboard(over, { type: 'scanChanged', scan: scanRecordOf(1, 'running') })).toEqual(over)
})

test('progress of an unknown scan changes nothing', () => {
  const known = dashboard(scanRecordOf(1, 'running'))
  expect(evolveDashboard(known, { type: 'scanProgressed', scanId: 9, progress: half })).toEqual(known)
})
