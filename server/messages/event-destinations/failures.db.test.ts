import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { DestinationDraft, eventDestinations } from '#events/event-log/destinations.ts'
import { certificate } from '#agent/simulator/certificate.ts'
import { record } from '#server/platform/log/audit.ts'
import { changeIn } from '#server/platform/log/change.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { createDestination, listDestinations } from './changeDestination.ts'
import { destinationProblems, skipWaitingEvents, startSendingEvents } from './index.ts'
import { readSyslog, startHttpReceiver, startSyslogReceiver } from './testing/receivers.ts'

const platform = await testPlatform()
const { db, config } = platform

async function note(padding = '') {
  const fact = { type: 'Noted', padding }
  await db.transaction().execute((trx) => record(trx, 'volume-1', system, fact))
}
const create = (draft: object) =>
  db
    .transaction()
    .execute((trx) =>
      createDestination(config, changeIn(trx, system), DestinationDraft.parse({ name: 'SIEM', ...draft })),
    )
const list = async () => (await listDestinations(platform, eventDestinations.list.query.parse({}))).elements
const behind = async () => (await list())[0]?.behind

async function sending(work: () => Promise<unknown>, retryMs = 20): Promise<void> {
  const sender = startSendingEvents(platform, { intervalMs: 20, retryMs })
  try {
    await work()
  } finally {
    await sender.stop()
  }
}

beforeEach(async () => void (await db.deleteFrom('eventDestinations').execute()))

test('a receiver that takes small requests only gets smaller batches, and an event that is too large alone stays', async () => {
  const seqs: number[] = []
  const refused: unknown[] = []
  const { port } = await startHttpReceiver(
    ({ headers, body }, response) => {
      const isTooLarge = body.length > 20_000
      if (isTooLarge) refused.push(headers['idempotency-key'])
      else for (const { position } of JSON.parse(body) as { position: number }[]) seqs.push(position)
      response.writeHead(isTooLarge ? 413 : 204).end()
    },
    { isPlain: true },
  )
  await create({ kind: 'WEBHOOK', address: `http://127.0.0.1:${port}/in` })
  for (let i = 0; i < 40; i++) await note('x'.repeat(1_000))
  await sending(() => expect.poll(behind).toBe(0), 60_000)
  expect(seqs).toHaveLength(40 + 1)
  expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b))
  const { length } = refused
  expect(length).toBeLessThan(10)
  await note('x'.repeat(30_000))
  await note()
  await sending(() => expect.poll(() => refused.slice(length).length).toBeGreaterThan(9))
  expect(refused.at(-1)).toBe(refused.at(-2))
  expect(await list()).toMatchObject([{ error: `127.0.0.1:${port} answered 413`, behind: 2, lost: 0 }])
})

test('a destination is tried again after the clock was ahead, and an event that cannot be written is its failure', async () => {
  const seqs: number[] = []
  const { port } = await startSyslogReceiver((message) => seqs.push(Number(readSyslog(message).params['seq'])))
  await create({ kind: 'SYSLOG_TLS', address: `127.0.0.1:${port}`, authority: certificate.cert })
  const waitFor = (minutes: number) =>
    db
      .updateTable('eventDestinations')
      .set({ nextTryAt: new Date(Date.now() + minutes * 60_000) })
      .execute()
  await waitFor(24 * 60)
  await sending(() => expect.poll(() => seqs.length).toBe(1))
  await note()
  await waitFor(4)
  await sending(() => new Promise((done) => setTimeout(done, 100)))
  expect(seqs).toHaveLength(1)
  const ofVolume = db.updateTable('events').where('stream', '=', 'volume-1')
  await ofVolume.set({ at: sql`'infinity'` }).execute()
  await waitFor(0)
  await sending(() => expect.poll(async () => (await destinationProblems(db)).length).toBe(1), 1)
  expect(await list()).toMatchObject([{ error: 'It could not be sent. See the log of the server.', behind: 1 }])
  await ofVolume.set({ at: sql`now()` }).execute()
  await waitFor(0)
  await sending(() => expect.poll(behind).toBe(0))
  expect(await list()).toMatchObject([{ error: null, lost: 0 }])
  expect(seqs).toHaveLength(2)
})

test('a restore counts the waiting events of each destination, and sends later ones only', async () => {
  const url = { kind: 'WEBHOOK', address: 'https://siem.example.com/', isFromStart: true }
  await note()
  await create({ ...url, name: 'All' })
  await create({ ...url, name: 'Jobs', topics: ['JOBS'] })
  await db.updateTable('eventDestinations').set({ batch: '[]', tries: 20, error: 'busy' }).execute()
  const lost = (await list())[0]?.behind
  await db.transaction().execute((trx) => skipWaitingEvents(trx, 'Restored'))
  await note()
  expect(await list()).toMatchObject([
    { name: 'All', behind: 1, lost, lostReason: 'Restored', error: null },
    { name: 'Jobs', behind: 0, lost: 0, lostReason: null, error: null },
  ])
  expect(await destinationProblems(db)).toEqual([])
  expect(await db.selectFrom('eventDestinations').select('id').where('batch', 'is not', null).execute()).toEqual([])
})
