import { beforeEach, expect, test } from 'vitest'
import { type EventDestination, eventDestinations } from '#events/event-log/destinations.ts'
import { certificate } from '#agent/simulator/certificate.ts'
import { createApp } from '#server/app.ts'
import { record } from '#server/platform/log/audit.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { readConfig } from '#server/platform/config.ts'
import { testFolder, testPlatform } from '#server/platform/testing/stores.ts'
import { asUser, testSession } from '#server/testing.ts'
import { pruneJobs } from '#server/workers/jobs/pruneJobs.ts'
import { beginScan } from '#server/messages/notifications/testing.ts'
import { destinationRoutes, startSendingEvents } from './index.ts'
import { readSyslog, startHttpReceiver, startSyslogReceiver } from './testing/receivers.ts'

const platform = await testPlatform()
const { db } = platform
const admin = asUser(createApp(platform, destinationRoutes(platform)), await testSession(db, ['ROLE_ADMIN']))
const path = `/api${eventDestinations.list.path}`
const secret = 'planted-SECRET-4711'

const note = (stream: Parameters<typeof record>[1], type = 'Noted') =>
  db.transaction().execute((trx) => record(trx, stream, system, { type }))
const list = async () => (await admin('GET', path).expect(200)).body.elements as EventDestination[]
const create = async (draft: object): Promise<number> =>
  (
    await admin('POST', path, {
      name: 'SIEM',
      kind: 'SYSLOG_TLS',
      address: '127.0.0.1:1',
      authority: certificate.cert,
      ...draft,
    }).expect(200)
  ).body.id
const wrongOf = async (draft: object, at = path, method: 'POST' | 'PUT' = 'POST') =>
  (await admin(method, at, { name: 'SIEM', kind: 'OTLP', ...draft }).expect(400)).body.subErrors.map(
    ({ field, message }: Record<string, string>) => `${field} ${message}`,
  )

/** Senders of several servers until the end of the test. */
async function sending<T>(work: () => Promise<T>, servers = 1, times = {}): Promise<T> {
  const started = Array.from({ length: servers }, () =>
    startSendingEvents(platform, { intervalMs: 20, retryMs: 20, ...times }),
  )
  try {
    return await work()
  } finally {
    await Promise.all(started.map((server) => server.stop()))
  }
}

beforeEach(async () => void (await db.deleteFrom('eventDestinations').execute()))

async function receiver() {
  const seqs: number[] = []
  const types: string[] = []
  const { server, port } = await startSyslogReceiver((message) => {
    const { params, type } = readSyslog(message)
    seqs.push(Number(params['seq']))
    types.push(type ?? '')
  })
  return { address: `127.0.0.1:${port}`, seqs, types, server }
}

test('a new destination receives chosen topics from now on, or from the start, and then is up to date', async () => {
  await note('volume-1', 'Before')
  const [now, start] = [await receiver(), await receiver()]
  await create({ address: now.address, topics: ['ACCESS', 'JOBS'] })
  await create({ name: 'All', address: start.address, isFromStart: true })
  for (const stream of [
    'volume-1',
    'user-3',
    'job-retention',
    'job-4',
    'sign-ins',
    'wall-1',
    'api-token-2',
    'api',
  ] as const)
    await note(stream, `Of-${stream}`)
  expect((await list()).map(({ name, behind }) => [name, behind > 5])).toEqual([
    ['All', true],
    ['SIEM', true],
  ])
  await sending(() => expect.poll(async () => (await list()).map(({ behind }) => behind)).toEqual([0, 0]))
  expect(now.types).toEqual(
    ['user-3', 'job-retention', 'job-4', 'sign-ins', 'wall-1', 'api-token-2'].map((one) => `Of-${one}`),
  )
  expect(start.types).toContain('Before')
  expect(start.types).toContain('Created')
  const positions = await db.selectFrom('events').select('position').orderBy('position').execute()
  expect(start.seqs).toEqual(positions.map(({ position }) => position))
  expect(await list()).toMatchObject([{ error: null, nextTryAt: null, lost: 0 }, { sentAt: expect.any(String) }])
})

test('several servers send each event once and in order, while it is appended', async () => {
  const { address, seqs } = await receiver()
  await create({ address })
  await sending(async () => {
    for (let i = 0; i < 60; i++) await note('volume-2')
    await expect.poll(async () => (await list())[0]?.behind).toBe(0)
  }, 3)
  expect(seqs).toHaveLength(60 + 1)
  expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b))
})

test('a batch stays the same until it is accepted, even if names change or events are deleted; a failure is shown', async () => {
  const bodies: [string, string][] = []
  const answers = [500, 429]
  const { port } = await startHttpReceiver(
    ({ headers, body }, response) => {
      bodies.push([String(headers['idempotency-key']), body])
      response.writeHead(answers.shift() ?? 204, { 'Retry-After': '0' }).end('busy')
    },
    { isPlain: true },
  )
  await create({ kind: 'WEBHOOK', address: `http://127.0.0.1:${port}/in`, authority: null })
  await note('volume-3')
  await sending(
    () => expect.poll(async () => (await list())[0]?.error).toBe(`127.0.0.1:${port} answered 500: busy`),
    1,
    { retryMs: 60_000 },
  )
  expect(await list()).toMatchObject([{ behind: 2, sentAt: null, nextTryAt: expect.any(String) }])
  await note('volume-4')
  await db.deleteFrom('events').where('stream', '=', 'volume-3').execute()
  await db.updateTable('eventDestinations').set({ nextTryAt: new Date() }).execute()
  await sending(() => expect.poll(async () => (await list())[0]?.behind).toBe(0))
  expect(bodies).toHaveLength(4)
  expect(bodies.slice(0, 3)).toEqual([bodies[0], bodies[0], bodies[0]])
  const streams = bodies.map(([, body]) => (JSON.parse(body) as { stream: string }[]).map(({ stream }) => stream))
  expect(streams[2]).toEqual([expect.stringMatching(/^event-destination-/), 'volume-3'])
  expect(streams[3]).toEqual(['volume-4'])
})

test('a receiver that no longer confirms gets a batch once more, and is then believed', async () => {
  const { address, seqs, server } = await receiver()
  const id = await create({ address })
  await sending(() => expect.poll(async () => (await list())[0]?.behind).toBe(0))
  const isConfirming = async () =>
    (await db.selectFrom('eventDestinations').select('confirms').where('id', '=', id).executeTakeFirstOrThrow())
      .confirms
  expect(await isConfirming()).toBe(true)
  const wires = new Set<{ end(): unknown }>()
  server.on('connection', (wire) => wires.add(wire))
  server.on('secureConnection', (socket) => {
    socket.allowHalfOpen = true
    socket.on('end', () => wires.forEach((wire) => wire.end()))
  })
  await note('volume-1')
  await sending(() => expect.poll(async () => (await list())[0]?.behind).toBe(0))
  expect(seqs.slice(-2)).toEqual([seqs.at(-1), seqs.at(-1)])
  expect(await isConfirming()).toBe(false)
})

test('events that the retention deletes before they are sent are counted, not skipped in silence', async () => {
  await create({ topics: ['JOBS'] })
  await create({ name: 'Settings', topics: ['SETTINGS'] })
  await beginScan(db, 77)
  await db
    .updateTable('jobs')
    .set({ status: 'SUCCESS', updatedAt: '2026-01-01T00:00:00.000Z' })
    .where('id', '=', 77)
    .execute()
  const { behind = 0 } = (await list()).find(({ name }) => name === 'SIEM') ?? {}
  expect(behind).toBeGreaterThan(1)
  await pruneJobs(db, new Date())
  expect((await list()).map(({ name, lost, behind }) => [name, lost, behind])).toEqual([
    ['Settings', 0, 1],
    ['SIEM', behind, 1],
  ])
})

test('secrets and paths of addresses are in no answer and in no event, and go to no other address', async () => {
  const address = 'https://collector.example.com/v1/logs?token=planted-TOKEN'
  expect(await wrongOf({ address: 'http://collector.example.com', header: 'Authorization', secret })).toEqual([
    'address must start with https:// when a secret is sent',
  ])
  expect(await wrongOf({ address, header: 'Authorization' })).toEqual(['secret is required for the header'])
  expect(await wrongOf({ address, header: 'Host', secret })).toEqual([
    expect.stringContaining('header must be a name such as'),
  ])
  expect(await wrongOf({ address, header: 'A', secret: 'a\r\nHost: x' })).toEqual([
    expect.stringContaining('secret must not contain'),
  ])
  expect(await wrongOf({ kind: 'SYSLOG_TLS', address: 'https://siem' })).toEqual([
    'address must be a host and a port, such as siem:6514',
  ])
  expect(await wrongOf({ kind: 'SYSLOG_UDP', address: '169.254.169.254:514' })).toEqual([
    expect.stringContaining('address must not be a link-local'),
  ])
  expect(await wrongOf({ address, authority: 'no certificate' })).toEqual([
    expect.stringContaining('authority must be certificates in PEM'),
  ])
  const id = await create({ kind: 'OTLP', address, header: 'Authorization', secret, authority: null })
  const [stored] = await list()
  expect(stored).toMatchObject({
    address: 'https://collector.example.com/••••••••',
    header: 'Authorization',
    isPasswordLost: false,
  })
  const keep = { name: 'SIEM 2', header: 'Authorization', address: stored?.address, secret: '' }
  await admin('PUT', `${path}/${id}`, { ...stored, ...keep }).expect(204)
  const moved = { ...keep, address: 'https://thief.example.com/' }
  expect(await wrongOf(moved, `${path}/${id}`, 'PUT')).toEqual([
    'secret must be entered again, because it would go to another address',
  ])
  expect(await wrongOf({ ...moved, id }, `${path}/tests`)).toEqual([
    'secret must be entered again, because it would go to another address',
  ])
  expect(await wrongOf({ ...keep, address: 'https://other.example.com/••••••••' }, `${path}/${id}`, 'PUT')).toEqual([
    'address is hidden. Enter the whole address.',
  ])
  await admin('PUT', `${path}/${id}`, { ...stored, ...keep, secret: `${secret}-2` }).expect(204)
  await admin('DELETE', `${path}/${id}`).expect(204)
  const events = await db.selectFrom('events').select('data').where('stream', '=', `event-destination-${id}`).execute()
  expect(events).toHaveLength(4)
  const rows = await db.selectFrom('eventDestinations').selectAll().execute()
  expect(JSON.stringify([stored, events, rows])).not.toMatch(/planted/)
  expect(JSON.stringify(events)).toContain('(changed)')
})

test('a syslog destination that becomes a webhook needs a whole address', async () => {
  const hidden = { kind: 'WEBHOOK', address: 'https://siem.example.com/••••••••' }
  for (const address of ['127.0.0.1:6514', 'siem:6514']) {
    const id = await create({ name: address, address })
    for (const [at, method] of [
      [`${path}/${id}`, 'PUT'],
      [`${path}/tests`, 'POST'],
    ] as const)
      expect(await wrongOf({ ...hidden, id }, at, method)).toEqual(['address is hidden. Enter the whole address.'])
  }
})

test('a destination whose address was sealed with another key says so, and works after it is entered again', async () => {
  const { address, seqs } = await receiver()
  const id = await create({ address })
  const other = { ...platform, config: readConfig({ DATAINTELL_DATA: testFolder('other') }) }
  const sender = startSendingEvents(other, { intervalMs: 20 })
  await expect
    .poll(async () => (await list())[0]?.error)
    .toMatch(/^The address of the destination SIEM cannot be opened/)
  await sender.stop()
  const ofOther = asUser(createApp(other, destinationRoutes(other)), await testSession(db, ['ROLE_ADMIN']))
  expect((await ofOther('GET', path).expect(200)).body.elements).toMatchObject([{ isPasswordLost: true }])
  const draft = { name: 'SIEM', kind: 'SYSLOG_TLS', address, authority: certificate.cert }
  await ofOther('PUT', `${path}/${id}`, draft).expect(204)
  const again = startSendingEvents(other, { intervalMs: 20 })
  await expect.poll(() => seqs.length).toBe(2)
  await again.stop()
})

test('a test reports what the receiver says, and changes nothing', async () => {
  const { address, types } = await receiver()
  const draft = { name: 'SIEM', kind: 'SYSLOG_TLS', address, authority: certificate.cert }
  expect((await admin('POST', `${path}/tests`, draft).expect(200)).body).toEqual({ to: 'SIEM', error: null })
  expect(types).toEqual(['DestinationTested'])
  const failing = { ...draft, address: 'nowhere.invalid:6514' }
  expect((await admin('POST', `${path}/tests`, failing).expect(200)).body.error).toBe(
    'There is no host named nowhere.invalid',
  )
  expect(await list()).toEqual([])
})

test('a destination has a name of its own, and there are at most five; another kind gets its batch in its own form', async () => {
  for (let i = 1; i <= 5; i++) await create({ name: `SIEM ${i}` })
  expect(await wrongOf({ name: 'More', address: 'https://x.test/' })).toEqual([
    'name cannot be added: there are 5 destinations already',
  ])
  const [first] = await list()
  expect(await wrongOf({ name: 'SIEM 2', address: 'https://x.test/' }, `${path}/${first?.id}`, 'PUT')).toEqual([
    'name must be unique',
  ])
  await sending(() => expect.poll(async () => (await list())[0]?.error).toBe('127.0.0.1:1 refused the connection'))
  const got: string[] = []
  const { port } = await startHttpReceiver(({ body }, response) => {
    got.push(body)
    response.end()
  })
  const changed = { ...first, kind: 'WEBHOOK', address: `https://127.0.0.1:${port}/in` }
  await admin('PUT', `${path}/${first?.id}`, changed).expect(204)
  await sending(() => expect.poll(() => got.length).toBeGreaterThan(0))
  expect(JSON.parse(got[0] ?? '')).toMatchObject([
    { type: 'Created' },
    { type: 'Created' },
    {},
    {},
    {},
    { type: 'Changed' },
  ])
})
