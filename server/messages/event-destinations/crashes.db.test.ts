import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { DestinationDraft } from '#events/event-log/destinations.ts'
import { certificate } from '#agent/simulator/certificate.ts'
import { readConfig } from '#server/platform/config.ts'
import { record } from '#server/platform/log/audit.ts'
import { changeIn } from '#server/platform/log/change.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { cases } from '#server/platform/testing/cases.ts'
import { testDatabaseUrl, testDb, testFolder } from '#server/platform/testing/stores.ts'
import { createDestination } from './changeDestination.ts'

const [db, databaseUrl] = [await testDb(), await testDatabaseUrl()]
const [data, folder] = [testFolder('data'), testFolder('received')]
const config = readConfig({ DATAINTELL_DATA: data })

/** A process that is killed and started again on request. */
function startProcess(file: string, ...args: string[]) {
  let child: ChildProcess
  const start = async () => {
    child = spawn(process.execPath, [join(import.meta.dirname, 'testing', file), ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    if (child.stdout) await once(child.stdout, 'data')
  }
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  onTestFinished(kill)
  return { start, kill }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

const linesOf = (name: string) => readFileSync(join(folder, name), 'utf8').trim().split('\n')
const pause = (most: number) => new Promise((done) => setTimeout(done, Math.random() * most))

let appended = 0
async function appendSome(): Promise<void> {
  for (let i = 0; i < 20; i++) {
    const fact = { type: 'Noted', note: `Line 1\nLine 2 of “${++appended}”`, padding: 'x'.repeat(5_000) }
    await db.transaction().execute((trx) => record(trx, 'volume-1', system, fact))
  }
}

test('each event arrives once and in order, although the receivers and the server are killed again and again', async () => {
  const ports = [await freePort(), await freePort(), await freePort()] as const
  const trusted = { authority: certificate.cert }
  await db.transaction().execute(async (trx) => {
    const create = (draft: object) =>
      createDestination(config, changeIn(trx, system), DestinationDraft.parse({ ...trusted, ...draft }))
    await create({ name: 'syslog', kind: 'SYSLOG_TLS', address: `127.0.0.1:${ports[0]}` })
    await create({ name: 'otlp', kind: 'OTLP', address: `https://127.0.0.1:${ports[1]}/v1/logs` })
    await create({ name: 'webhook', kind: 'WEBHOOK', address: `https://127.0.0.1:${ports[2]}/events` })
  })
  const isDone = async () => {
    const { newest } = await db
      .selectFrom('events')
      .select(({ fn }) => fn.max('position').as('newest'))
      .executeTakeFirstOrThrow()
    const rows = await db.selectFrom('eventDestinations').select('position').execute()
    return rows.every(({ position }) => position === newest)
  }
  const receivers = startProcess('receiverProcess.ts', folder, ...ports.map(String))
  const server = startProcess('senderProcess.ts', databaseUrl, data)
  await Promise.all([receivers.start(), server.start()])
  // A receiver of syslog is known to confirm after its first batch.
  await appendSome()
  await expect.poll(isDone, { timeout: 30_000 }).toBe(true)

  for (let kills = 0; kills < cases(6, 60); kills++) {
    const appending = appendSome()
    await pause(250)
    const [first, second] = Math.random() < 0.5 ? [receivers, server] : [server, receivers]
    await first.kill()
    if (Math.random() < 0.5) await first.start()
    await pause(150)
    await second.kill()
    await appending
    await Promise.all([first.kill().then(first.start), second.start()])
  }
  await expect.poll(isDone, { timeout: 30_000 }).toBe(true)

  const events = await db.selectFrom('events').select('position').orderBy('position').execute()
  const positions = events.map(({ position }) => String(position))
  const own = await db.selectFrom('eventDestinations').select('name').execute()
  expect(own).toHaveLength(3)
  for (const name of ['syslog', 'otlp', 'webhook']) {
    const received = linesOf(name)
    // The destinations begin after they were added, one after another.
    expect([name, received]).toEqual([name, positions.slice(positions.indexOf(received[0] ?? ''))])
    expect(received.length).toBeGreaterThanOrEqual(appended)
  }
  const batches = Map.groupBy(
    linesOf('batches').map((line) => line.split(' ')),
    ([key]) => key,
  )
  for (const attempts of batches.values()) expect(new Set(attempts.map(([, content]) => content)).size).toBe(1)
  expect(() => linesOf('broken')).toThrow('ENOENT')
})
