import { sql } from 'kysely'
import { nkeys } from 'nats'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { NewAgent } from '#events/agents.ts'
import { consumers, streams, subjects } from '#events/subjects.ts'
import { createApp } from '#server/app.ts'
import { findJob, findJobDetails } from '#server/workers/jobs/index.ts'
import { type AdmittedAgent, natsAccounts } from '#server/platform/nats/agentDoor.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { queueScans } from '#server/scanning/scans/index.ts'
import { handlersFor } from '#server/scanning/scans/testing/startScanning.ts'
import { asUser, testPriceBook, testSession } from '#server/testing.ts'
import { createFileStorage, fileStorageRoutes } from '#server/scanning/sources/index.ts'
import { agentRoutes, arrangeAgents } from './index.ts'

const elsewhere = await testPlatform()
const { db, nats } = elsewhere
let admitted: AdmittedAgent[] = []
const agentDoor = { natsUrl: 'nats://127.0.0.1:4222', admit: (agents: AdmittedAgent[]) => void (admitted = agents) }
const platform = { ...elsewhere, agentDoor }
const session = await testSession(db, ['ROLE_ADMIN'])
const handlers = handlersFor(platform)
const ask = asUser(createApp(platform, [...agentRoutes(platform, handlers), ...fileStorageRoutes(platform)]), session)
const path = '/api/servers'

beforeEach(async () => {
  await sql`TRUNCATE volumes, scans, snapshots, events, jobs, tasks RESTART IDENTITY CASCADE`.execute(db)
  await sql`DELETE FROM agents WHERE id > 1`.execute(db)
})

const add = async (name: string): Promise<NewAgent> => (await ask('POST', path, { name }).expect(200)).body
const idsAdmitted = () => admitted.map(({ agentId }) => agentId)
const queueOf = (agentId: number) =>
  nats.jsm.consumers.info(streams.tasks, consumers.tasks(agentId, 'SCAN_VOLUMES')).then(
    ({ config }) => config.filter_subject,
    () => null,
  )

test('an agent is added, listed with the built-in one, renamed and deleted', async () => {
  const { id } = await add(' north ')
  const built = { id: 1, name: 'Built-in agent' }
  const listed = await ask('GET', path).expect(200)
  expect(listed.body).toEqual({
    elements: [built, { id, name: 'north' }],
    page: 1,
    size: 25,
    total: 2,
    sort: 'id',
    direction: 'asc',
  })
  await ask('PUT', `${path}/${id}`, { id, name: 'south' }).expect(204)
  expect((await ask('GET', `${path}?sort=name,desc`)).body.elements).toEqual([{ id, name: 'south' }, built])
  await ask('DELETE', `${path}/${id}`).expect(204)
  expect((await ask('GET', path)).body.elements).toEqual([built])
  await ask('DELETE', `${path}/${id}`).expect(404)
  await ask('PUT', `${path}/${id}`, { name: 'west' }).expect(404)
  await ask('GET', `${path}?sort=public_key`).expect(400)
})

test('an agent that is added has a queue and is let in, until it is deleted', async () => {
  const [north, south] = [await add('north'), await add('south')]
  expect(idsAdmitted()).toEqual([north.id, south.id])
  expect(await queueOf(north.id)).toBe(subjects.tasks(north.id, 'SCAN_VOLUMES'))
  await nats.js.publish(subjects.tasks(north.id, 'SCAN_VOLUMES'), 'a notice')
  await ask('DELETE', `${path}/${north.id}`).expect(204)
  expect(idsAdmitted()).toEqual([south.id])
  expect(await queueOf(north.id)).toBeNull()
  const { state } = await nats.jsm.streams.info(streams.tasks, { subjects_filter: '>' })
  expect(state.subjects ?? {}).not.toHaveProperty([subjects.tasks(north.id, 'SCAN_VOLUMES')])
})

test('agents added at the same moment are all let in, each once', async () => {
  const added = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(add))
  expect(idsAdmitted()).toEqual(added.map(({ id }) => id).sort((a, b) => a - b))
  expect(new Set(admitted.map(({ publicKey }) => publicKey)).size).toBe(6)
})

test('a start lets in the agents of the table, makes their queues and removes what is left of deleted ones', async () => {
  const [north, south] = [await add('north'), await add('south')]
  await nats.jsm.consumers.delete(streams.tasks, consumers.tasks(north.id, 'SCAN_VOLUMES'))
  await db.updateTable('agents').set({ deletedAt: new Date() }).where('id', '=', south.id).execute()
  admitted = []
  await arrangeAgents(platform)
  expect(idsAdmitted()).toEqual([north.id])
  expect([await queueOf(north.id), await queueOf(south.id)]).toEqual([subjects.tasks(north.id, 'SCAN_VOLUMES'), null])
})

test('the seed is answered once and belongs to the key that is let in; no table holds it', async () => {
  const { id, seed, ...shown } = await add('north')
  const publicKey = nkeys.fromSeed(new TextEncoder().encode(seed)).getPublicKey()
  expect(admitted).toEqual([{ agentId: id, publicKey }])
  expect(shown).toEqual({
    name: 'north',
    natsUrl: 'nats://127.0.0.1:4222',
    seedFile: `agent-${id}.seed`,
    command: `AGENT_ID=${id} NATS_URL=nats://127.0.0.1:4222 AGENT_SEED_FILE=agent-${id}.seed node agent/main.ts`,
    natsBlock: null,
    caSha256: null,
  })
  const { rows } = await sql<{ table: string }>`
    SELECT table_name AS table FROM information_schema.tables WHERE table_schema = 'public'`.execute(db)
  const texts = await Promise.all(
    rows.map(({ table }) => sql<{ row: string }>`SELECT t::text AS row FROM ${sql.id(table)} t`.execute(db)),
  )
  const all = JSON.stringify(texts.flatMap((found) => found.rows))
  expect([all.includes(publicKey), all.includes(seed)]).toEqual([true, false])
})

test('for a NATS of the environment the accounts to add are answered, and no sign-in of the server', async () => {
  const natsUrl = 'tls://server:secret@nats.example:4222'
  const there = { ...elsewhere, agentDoor: { natsUrl, admit: undefined } }
  const { body } = await asUser(createApp(there, agentRoutes(there, handlers)), session)('POST', path, {
    name: 'far',
  }).expect(200)
  expect(JSON.stringify(body)).not.toContain('secret')
  expect(body.natsUrl).toBe('tls://nats.example:4222')
  const publicKey = nkeys.fromSeed(new TextEncoder().encode(body.seed)).getPublicKey()
  const { accounts } = JSON.parse(body.natsBlock)
  // Same as for the embedded nats-server.
  expect(accounts).toEqual(natsAccounts([{ agentId: body.id, publicKey }]))
  const { DATAINTELL: ofServer, [`AGENT_${body.id}`]: ofAgent } = accounts
  const [{ nkey, permissions }] = ofAgent.users
  expect(nkey).toBe(publicKey)
  expect(permissions.subscribe).toEqual([`ask.${body.id}.>`, `_INBOX_agent-${body.id}.>`])
  const offered = ofServer.exports.map(({ service }: { service: string }) => service)
  expect(offered).toEqual(permissions.publish)
  expect(offered.slice(0, 2)).toEqual([`scans.${body.id}.*.entries`, `scans.${body.id}.*.lifecycle`])
})

test('a name is taken in any case, until its agent is deleted; a blank one is refused', async () => {
  const { id } = await add('North')
  const other = await add('other')
  const taken = [{ field: 'name', message: 'should be unique, NORTH already exists' }]
  const wanted = { name: 'NORTH' }
  expect((await ask('POST', path, wanted).expect(400)).body.subErrors).toEqual(taken)
  expect((await ask('PUT', `${path}/${other.id}`, wanted).expect(400)).body.subErrors).toEqual(taken)
  await ask('PUT', `${path}/${id}`, wanted).expect(204)
  await ask('DELETE', `${path}/${id}`).expect(204)
  await add('north')
  const blank = await ask('POST', path, { name: '  ' }).expect(400)
  expect(blank.body.subErrors).toEqual([{ field: 'name', message: 'must not be blank' }])
})

test('the built-in agent is renamed and never deleted', async () => {
  const answer = await ask('DELETE', `${path}/1`).expect(409)
  expect(answer.body.message).toBe('The built-in agent cannot be deleted')
  await ask('PUT', `${path}/1`, { name: 'Here' }).expect(204)
  await ask('PUT', `${path}/1`, { name: 'Built-in agent' }).expect(204)
})

const storage = (name: string, agentId: number) => createFileStorage(db, { name, path: '/a', server: { id: agentId } })

test('an agent that still scans storages stays, and they are named', async () => {
  const { id } = await add('north')
  const names = ['Films', 'Shows', 'a', 'b', 'c', 'd', 'e']
  for (const name of names.slice(0, 2)) await storage(name, id)
  const message = async () => (await ask('DELETE', `${path}/${id}`).expect(409)).body.message
  expect(await message()).toBe('Agent north still scans Films and Shows. Assign another agent to each first.')
  for (const name of names.slice(2)) await storage(name, id)
  expect(await message()).toContain('and 2 more.')
  await db.updateTable('volumes').set({ deletedAt: new Date() }).execute()
  await ask('DELETE', `${path}/${id}`).expect(204)
})

test('an agent that is deleted leaves its tasks ended with the reason, and its jobs show no name', async () => {
  const { id } = await add('north')
  const volumeId = await createFileStorage(db, { name: 'Films', path: '/films', server: { id } })
  const jobId = await queueScans(db, { ids: [volumeId], cloneIndex: true, by: system })
  expect(await findJobDetails(db, jobId)).toMatchObject({ agentName: 'north' })
  await db.updateTable('volumes').set({ agentId: 1 }).execute()
  await ask('DELETE', `${path}/${id}`).expect(204)
  const reason = 'The agent north was deleted'
  expect(await findJobDetails(db, jobId)).toMatchObject({ status: 'SCANNER_ERROR', serverId: id, agentName: null })
  expect((await findJob(db, jobId))?.tasks[0]).toMatchObject({ status: 'SCANNER_ERROR', result: { reason } })
  expect(await db.selectFrom('scans').select(['state', 'reason']).execute()).toEqual([{ state: 'failed', reason }])
  expect(await queueScans(db, { ids: [volumeId], cloneIndex: true, by: system })).toBeGreaterThan(jobId)
})

test('a storage takes an agent that was added, and none that was deleted, also at the same moment', async () => {
  const draft = (name: string, id: number) => ({ name, path: '/a', server: { id }, storagePrice })
  const storagePrice = await testPriceBook(db)
  const [north, south] = [await add('north'), await add('south')]
  await ask('POST', '/api/volumeSettings', draft('Films', north.id)).expect(200)
  await ask('DELETE', `${path}/${south.id}`).expect(204)
  const { body } = await ask('POST', '/api/volumeSettings', draft('Shows', south.id)).expect(400)
  expect(body.subErrors).toEqual([{ field: 'server.id', message: 'must be an agent that exists' }])
  for (let i = 0; i < 5; i++) {
    const { id } = await add(`hasty ${i}`)
    const [made, deleted] = await Promise.all([
      ask('POST', '/api/volumeSettings', draft(`new ${i}`, id)),
      ask('DELETE', `${path}/${id}`),
    ])
    expect([
      [200, 409],
      [400, 204],
    ]).toContainEqual([made.status, deleted.status])
  }
})

test('each change is in the event log with its user, and sent to followers', async () => {
  const heard = nats.connection.subscribe(subjects.live, { max: 3 })
  const { id } = await add('north')
  await ask('PUT', `${path}/${id}`, { name: 'south' })
  await ask('DELETE', `${path}/${id}`)
  const rows = await db.selectFrom('events').selectAll().orderBy('position').execute()
  expect(rows.map(({ stream, type }) => `${stream} ${type}`)).toEqual(
    ['Created', 'Changed', 'Removed'].map((type) => `agent-${id} ${type}`),
  )
  expect(rows[1]).toMatchObject({ actor: expect.stringMatching(/^user-/), data: { before: { name: 'north' } } })
  for await (const message of heard)
    expect(message.json()).toMatchObject({ type: 'changed', topics: expect.arrayContaining(['agents']) })
})

afterEach(async () => {
  const left = await db.selectFrom('agents').select('id').where('id', '>', 1).execute()
  for (const { id } of left)
    await nats.jsm.consumers.delete(streams.tasks, consumers.tasks(id, 'SCAN_VOLUMES')).catch(() => {})
})
