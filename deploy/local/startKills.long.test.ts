import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { cases, testSeed } from '#server/platform/testing/cases.ts'
import { openPostgres } from '#server/platform/postgres/postgres.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { visitLocalPostgres } from './stores/index.ts'
import { freePort } from './testing/freePort.ts'
import { findByCommandLine } from './stores/processes.ts'
import { signedIn, startProduct, testPassword } from './testing.ts'

/*
 * Kills and stops the product at random moments of its start, its work and its stop. Everything that was answered with 200 exists
 * afterwards, the next start works, and after a stop no process is left.
 */
const rounds = cases(10, 100)
const seed = testSeed(1)

test(`after ${rounds} kills and stops at random moments nothing that was answered is missing`, async () => {
  const data = testFolder('start-kills')
  const { next: random, chance } = newRandom(seed)
  const answered: string[] = []
  let running: ChildProcess | undefined
  onTestFinished(() => void running?.kill('SIGKILL'))
  // Random moments before, during and after the product becomes ready, at any load of the machine.
  const latestMs = 2 * (await timeToReadyMs(data))
  for (let round = 1; round <= rounds; round++) {
    const port = await freePort()
    const child = (running = startOn(data, port))
    const exited = once(child, 'exit')
    const writing = writeUntil(exited, `http://127.0.0.1:${port}`, `round ${round}`, answered)
    await pause(random() * latestMs)
    if (chance(0.3)) {
      child.kill('SIGTERM')
      // Half of the stops are killed before they finish.
      if (chance(0.5)) await pause(random() * 3_000).then(() => child.kill('SIGKILL'))
    } else child.kill('SIGKILL')
    await exited
    await writing
    if (chance(0.3)) for (const store of storesOf(data)) process.kill(store.pid, 'SIGKILL')
  }
  const product = await startProduct(data)
  const visit = await visitLocalPostgres(data, () => {})
  const db = openPostgres(visit?.url ?? '')
  const rows = await db.selectFrom('storagePrices').select('description').execute()
  await db.destroy()
  await visit?.leave()
  const kept = new Set(rows.map(({ description }) => description))
  expect(answered.length).toBeGreaterThan(rounds / 4)
  expect(answered.filter((name) => !kept.has(name))).toEqual([])
  await product.stop()
  expect(storesOf(data)).toEqual([])
})

/** Milliseconds of a start on this machine, with an existing data folder. */
async function timeToReadyMs(data: string): Promise<number> {
  await (await startProduct(data)).stop()
  const product = await startProduct(data)
  await product.stop()
  return product.startedAfter
}

const startOn = (data: string, port: number): ChildProcess =>
  spawn(process.execPath, [join(import.meta.dirname, 'start.ts')], {
    env: { ...process.env, PORT: String(port), DATAINTELL_DATA: data, DATAINTELL_ADMIN_PASSWORD: testPassword },
    stdio: 'ignore',
  })

const storesOf = (data: string) =>
  [`bin/postgres -D ${join(data, 'postgres')}`, `-c ${join(data, 'nats/nats.conf')}`].flatMap(
    (words) => findByCommandLine(words) ?? [],
  )

/** Creates price books until the product ends, and records those that were answered with 200. */
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
    // Signs in again for each attempt until it is ready, because a failed call keeps its failure.
    const made = await (call ??= signedIn(address))('POST', '/v1/storage-prices', book).catch(() => undefined)
    if (made?.status === 200) answered.push(description)
    else {
      call = undefined
      await pause(50)
    }
  }
}

let call: ReturnType<typeof signedIn> | undefined
