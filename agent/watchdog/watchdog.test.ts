import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '#server/platform/testing/stores.ts'
import { startWatchdog } from './index.ts'

const program = join(import.meta.dirname, 'testing/hang.ts')
const limits = { looksUntilHung: 30, lookEveryMs: 1_000 }

test('an agent that does not respond is killed, and the tasks that ran are suspects until they end', () => {
  const state = join(testFolder('watchdog'), 'not made yet')
  const hang = () => spawnSync(process.execPath, [program, state], { encoding: 'utf8' })
  const { signal, stderr } = hang()
  expect(signal).toBe('SIGKILL')
  expect(stderr).toBe('The agent did not respond for 0.2 s and is ended\n')
  const suspects = startWatchdog(state, limits)
  expect([7, 8].map(suspects.hangs)).toEqual([1, 0])
  hang()
  const again = startWatchdog(state, limits)
  expect(again.hangs(7)).toBe(2)
  again.started(7)
  again.stopped(7, false)
  expect(startWatchdog(state, limits).hangs(7)).toBe(2)
  again.stopped(7, true)
  expect(startWatchdog(state, limits).hangs(7)).toBe(0)
  expect(existsSync(join(state, 'hung.json'))).toBe(false)
})
