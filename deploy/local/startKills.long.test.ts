import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { cases, testSeed } from '#server/platform/testing/cases.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { newRandom } from '#server/snapshots/model/random.ts'
import { findByWords, freePort } from './stores/processes.ts'
import { signedIn, testPassword } from './testing.ts'

/*
 * Kills and stops the product at random moments of its start, its work and its stop. Whatever was answered with 200 is there afterwards,
 * the next start works, and after a stop no process is left.
 */
const rounds = cases(10, 100)
const seed = testSeed(1)
/** Moments are within this many milliseconds of a start: before, during and after it becomes ready. */
const latestMs = 9_000

test(`after ${rounds} kills and stops at random moments nothing that was answered is missing`, async () => {
  const data = testFolder('start-kills')
  const { next: random, chance } = newRandom(seed)
  const answered: string[] = []
  let running: ChildProcess | undefined
  onTestFinished(() => void running?.kill('SIGKILL'))
  for (let round = 1; round <= rounds; round++) {
    const port = await freePort()
    const child = (running = startOn(data, port))
    const exited = once(child, 'exit')
    const writing = writeUntil(exited, `http://127.0.0.1:${port}`, `round ${round}`, answered)
    await pause(random() * latestMs)
    if (chance(0.3)) {
      child.kill('SIGTERM')
      // Half of the stops are killed before they are done.
      if (chance(0.5)) await pause(random() * 3_000).then(() => child.kill('SIGKILL'))
    } else child.kill('SIGKILL')
    await exited
    await writing
    if (chance(0.3)) for (const store of storesOf(data)) process.kill(store.pid, 'SIGKILL')
  }
  const port = await freePort()
  const child = (running = startOn(data, port))
  const call = signedIn(`http://127.0.0.1:${port}`)
  await expect
    .poll(
      () =>
        call('GET', '/v1/storage-prices?size=10000').then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: 120_000 },
    )
    .toBe(200)
  const { answer } = await call('GET', '/v1/storage-prices?size=10000')
  const kept = JSON.stringify(answer)
  expect(answered.length).toBeGreaterThan(rounds / 4)
  expect(answered.filter((name) => !kept.includes(`"${name}"`))).toEqual([])
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(storesOf(data)).toEqual([])
})

const startOn = (data: string, port: number): ChildProcess =>
  spawn(process.execPath, [join(import.meta.dirname, 'start.ts')], {
    env: { ...process.env, PORT: String(port), DATAINTELL_DATA: data, DATAINTELL_ADMIN_PASSWORD: testPassword },
    stdio: 'ignore',
  })

const storesOf = (data: string) =>
  [`bin/postgres -D ${join(data, 'postgres')}`, `-c ${join(data, 'nats/nats.conf')}`].flatMap(
    (words) => findByWords(words) ?? [],
  )

/** Creates price books until the product ends, and notes those that were answered with 200. */
async function writeUntil(
  exited: Promise<unknown>,
  address: string,
  prefix: string,
  answered: string[],
): Promise<void> {
  let isOver = false
  void exited.then(() => (isOver = true))
  for (let i = 1; !isOver; i++) {
    const description = `${prefix} change ${i}`
    const book = { description, currencySymbol: '$', price: 0, classPrices: [] }
    // Another sign-in each time until it is ready: a call that fails keeps its failure.
    const made = await (call ??= signedIn(address))('POST', '/v1/storage-prices', book).catch(() => undefined)
    if (made?.status === 200) answered.push(description)
    else {
      call = undefined
      await pause(50)
    }
  }
}

let call: ReturnType<typeof signedIn> | undefined
