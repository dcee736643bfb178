import { expect, test } from 'vitest'
import { scanRecordOf } from '#events/testing.ts'
import type { Dashboard } from '#events/dashboard.ts'
import { keepDashboard } from './dashboardState.ts'

/** A database that answers on command. */
function slowDatabase() {
  const pending: ((found: Dashboard) => void)[] = []
  const read = () => new Promise<Dashboard>((resolve) => pending.push(resolve))
  const answer = (...scans: Dashboard['scans']) => pending.shift()?.({ indexingDate: null, storages: [], scans })
  return { read, answer, pending }
}
const statesOf = ({ scans }: Dashboard) => scans.map(({ scanId, state }) => `${scanId} ${state}`)

test('events during a read of the database are not lost', async () => {
  const { read, answer } = slowDatabase()
  const state = keepDashboard(read)
  const refreshed = state.refresh()
  state.publish({ type: 'scanChanged', scan: scanRecordOf(2, 'running') })
  expect(statesOf(state.current())).toEqual(['2 running'])
  answer(scanRecordOf(1, 'done'))
  await refreshed
  expect(statesOf(state.current())).toEqual(['2 running', '1 done'])
})

test('changes during a read of the database make it read once more', async () => {
  const { read, answer, pending } = slowDatabase()
  const state = keepDashboard(read)
  const wishes = [state.refresh(), state.refresh(), state.refresh()]
  answer(scanRecordOf(1, 'running'))
  await expect.poll(() => pending.length).toBe(1)
  answer(scanRecordOf(1, 'done'))
  await Promise.all(wishes)
  expect(statesOf(state.current())).toEqual(['1 done'])
  expect(pending).toHaveLength(0)
})

test('a failed read keeps the known values, and the next one continues', async () => {
  const answers = [
    Promise.reject(new Error('away')),
    Promise.resolve({ indexingDate: '2026-01-01', storages: [], scans: [] }),
  ]
  const state = keepDashboard(() => answers.shift() ?? Promise.reject(new Error('none left')))
  state.publish({ type: 'scanChanged', scan: scanRecordOf(1, 'running') })
  await expect(state.refresh()).rejects.toThrow('away')
  expect(statesOf(state.current())).toEqual(['1 running'])
  await state.refresh()
  expect(state.current().indexingDate).toBe('2026-01-01')
})
