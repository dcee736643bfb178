import { spawn } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { watchSignsOfLife } from './signsOfLife.ts'

const lookEveryMs = 50
const looksUntilHung = 40

/** A process that sends signs of life, and the number of times that it counted as hung. */
async function watched(...options: string[]) {
  let hangs = 0
  const environment = watchSignsOfLife(() => hangs++, { looksUntilHung, lookEveryMs })
  const child = spawn(process.execPath, [...options, join(import.meta.dirname, 'testing/livingServer.ts')], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let starts = 0
  child.stdout.on('data', (text: Buffer) => (starts += String(text).split('started').length - 1))
  await expect.poll(() => starts).toBe(1)
  return { child, hangs: () => hangs, starts: () => starts }
}
/** The looks that make a hang, and some more. */
const longEnoughMs = 1.5 * lookEveryMs * looksUntilHung

test.each(['SIGUSR2', 'SIGSTOP'] as const)(
  'a server that no longer responds counts as hung once: %s',
  async (signal) => {
    const { child, hangs } = await watched()
    await wait(longEnoughMs)
    expect(hangs()).toBe(0)
    child.kill(signal)
    await expect.poll(hangs).toBe(1)
    await wait(longEnoughMs)
    expect(hangs()).toBe(1)
  },
)

test('a server that restarts in its own process is watched further', async () => {
  const { child, hangs, starts } = await watched()
  child.kill('SIGHUP')
  await expect.poll(starts).toBe(2)
  await wait(longEnoughMs)
  expect(hangs()).toBe(0)
  child.kill('SIGSTOP')
  await expect.poll(hangs).toBe(1)
})

test('a server with a debugger may pause, and one that ended does not count as hung', async () => {
  const paused = await watched('--inspect=127.0.0.1:0')
  const ended = await watched()
  await wait(lookEveryMs * looksUntilHung)
  paused.child.kill('SIGSTOP')
  ended.child.kill('SIGKILL')
  await wait(longEnoughMs)
  expect([paused.hangs(), ended.hangs()]).toEqual([0, 0])
})
