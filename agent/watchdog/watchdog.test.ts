import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { testFolder } from '#server/platform/testing/stores.ts'
import { RequestRefused, startWatchdog } from './index.ts'

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

const hangWith = (state: string, ...open: string[]) =>
  spawnSync(process.execPath, [program, state, ...open], { encoding: 'utf8' })

test('a request that was open when the agent hung is refused for an hour, and tasks are not blamed', () => {
  const state = testFolder('hung request')
  const secret = 'ask.1.iconik {"token":"aBcDeF123"}'
  hangWith(state, secret)
  expect(readFileSync(join(state, 'hung.json'), 'utf8')).not.toContain('aBcDeF123')
  const suspects = startWatchdog(state, limits)
  expect(suspects.hangs(7)).toBe(0)
  expect(() => suspects.opened(secret)).toThrow(RequestRefused)
  expect(() => suspects.opened(secret)).toThrow(
    /^The agent stopped responding while it worked on this request, and refuses it until \d{4}-\d\d-\d\d \d\d:\d\d UTC\. Check/,
  )
  suspects.opened('an answered request')()
  suspects.opened(secret.replace('aBc', 'other'))()

  // It is still refused after another start, also one that hung during another request.
  hangWith(state, 'another')
  const later = startWatchdog(state, limits)
  expect(() => later.opened(secret)).toThrow(RequestRefused)
  expect(() => later.opened('another')).toThrow(RequestRefused)

  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  vi.setSystemTime(Date.now() + 61 * 60_000)
  later.opened(secret)()
  later.opened('another')()
  expect(existsSync(join(state, 'hung.json'))).toBe(false)
})

test('a task is only blamed for hangs without an open request', () => {
  const state = testFolder('hung task')
  hangWith(state)
  hangWith(state, 'a request')
  expect(startWatchdog(state, limits).hangs(7)).toBe(1)
  hangWith(state)
  expect(startWatchdog(state, limits).hangs(7)).toBe(2)
})
