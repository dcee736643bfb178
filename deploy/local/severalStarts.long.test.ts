import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { sql } from 'kysely'
import { openClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql as clickHouseSql } from '#server/platform/clickhouse/sql.ts'
import { openNats } from '#server/platform/nats/nats.ts'
import { openPostgres } from '#server/platform/postgres/postgres.ts'
import { cases, testSeed } from '#server/platform/testing/cases.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { freePort } from './testing/freePort.ts'
import { type ExternalStores, serverEnvironment, startExternalStores, startReplica } from './testing/externalStores.ts'
import { signedIn } from './testing.ts'

const migrations = join(import.meta.dirname, '../../migrations')
const filesOf = (store: string) => readdirSync(join(migrations, store)).filter((name) => name.endsWith('.sql'))
const patience = { timeout: 180_000 }

/** Three empty stores, ended after the test. */
async function emptyStores(): Promise<ExternalStores & { folder: string }> {
  const folder = testFolder('several')
  const stores = await startExternalStores(folder)
  onTestFinished(() => stores.stop())
  return { ...stores, folder }
}

/** Starts a server with a data folder of its own. */
async function start(stores: ExternalStores & { folder: string }, name: string, environment: NodeJS.ProcessEnv = {}) {
  const env = { ...serverEnvironment(stores, join(stores.folder, name), await freePort()), ...environment }
  const replica = startReplica(env)
  onTestFinished(() => replica.end('SIGKILL'))
  return replica
}

/** The tables are those of all migrations, applied once, and everything else that a first start makes is there once. */
async function expectWholeStores(stores: ExternalStores): Promise<void> {
  const db = openPostgres(stores.databaseUrl)
  const clickhouse = await openClickHouse(stores.clickhouseUrl)
  const nats = await openNats(stores.natsUrl, { seed: stores.natsCredential })
  try {
    const applied = await db.selectFrom('migrations').select(['store', 'name']).orderBy('name').execute()
    for (const store of ['postgres', 'clickhouse'] as const)
      expect(applied.flatMap((one) => (one.store === store ? one.name : []))).toEqual(filesOf(store).sort())
    expect(await db.selectFrom('users').select('name').execute()).toEqual([{ name: 'admin' }])
    const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM agents`.execute(db)
    expect(rows).toEqual([{ n: 1 }])
    const tables = await clickhouse.rows(clickHouseSql`SELECT name FROM system.tables WHERE name = 'entries'`)
    expect(tables).toEqual([{ name: 'entries' }])
    expect(await nats.jsm.streams.names().next()).toEqual(expect.arrayContaining(['SCANS', 'TASKS']))
    const consumers = await nats.jsm.consumers.list('SCANS').next()
    expect(new Set(consumers.map(({ name }) => name)).size).toBe(consumers.length)
  } finally {
    await nats.close()
    await clickhouse.close()
    await db.destroy()
  }
}

test('three servers that start at the same moment on empty stores migrate them once, and all work', async () => {
  const stores = await emptyStores()
  const servers = await Promise.all(['a', 'b', 'c'].map((name) => start(stores, name)))
  await Promise.all(servers.map((server) => server.ready()))
  await expectWholeStores(stores)
  for (const { address } of servers) expect((await signedIn(address)('GET', '/v1/jobs')).status).toBe(200)
  for (const server of servers) await server.end('SIGTERM')
  expect(servers.map(({ ended }) => ended())).toEqual([0, 0, 0])
})

const rounds = cases(1, 3)
const seed = testSeed(1)
const { next: random } = newRandom(seed)

test(`of three servers on empty stores one is killed while it migrates, ${rounds} times; the others finish`, async () => {
  for (let round = 0; round < rounds; round++) {
    const stores = await emptyStores()
    const servers = await Promise.all(['a', 'b', 'c'].map((name) => start(stores, name)))
    const db = openPostgres(stores.databaseUrl, { connections: 1 })
    const count = () =>
      db
        .selectFrom('migrations')
        .select('name')
        .execute()
        .then(
          ({ length }) => length,
          () => 0,
        )
    // Until a random migration; the one that migrates can't be seen from outside, so two are killed one after the other.
    const untilCount = Math.floor(random() * filesOf('postgres').length)
    while ((await count()) < untilCount) await pause(2)
    await servers[round % 3]!.end('SIGKILL')
    await pause(random() * 100)
    await servers[(round + 1) % 3]!.end('SIGKILL')
    await db.destroy()
    await servers[(round + 2) % 3]!.ready()
    const again = await start(stores, 'a')
    await again.ready()
    expect((await signedIn(again.address)('GET', '/v1/jobs')).status).toBe(200)
    await expectWholeStores(stores)
    for (const server of [...servers, again]) await server.end('SIGKILL')
  }
})

test('a server with another key of secrets ends with the reason, and the first keeps running', async () => {
  const stores = await emptyStores()
  const first = await start(stores, 'a')
  await first.ready()
  const second = await start(stores, 'b', { DATAINTELL_SECRET_KEY: 'another key of secrets, which is long enough' })
  await expect.poll(second.ended, patience).not.toBeUndefined()
  expect(second.printed()).toContain('Set DATAINTELL_SECRET_KEY to the same value for every server')
  const third = await start(stores, 'c', { DATAINTELL_SECRET_KEY: '' })
  await expect.poll(third.ended, patience).not.toBeUndefined()
  expect(third.printed()).toContain('and this one has none yet')
  expect((await signedIn(first.address)('GET', '/v1/jobs')).status).toBe(200)
})

test('a second server leaves the built-in agent of the first at its work, and its own follows when that ends', async () => {
  const stores = await emptyStores()
  const first = await start(stores, 'a')
  await first.ready()
  const db = openPostgres(stores.databaseUrl)
  onTestFinished(() => db.destroy())
  const holder = () =>
    db
      .selectFrom('agents')
      .select(['run', 'pid', 'lastCheckedAt', 'refused'])
      .where('id', '=', 1)
      .executeTakeFirstOrThrow()
  await expect.poll(async () => (await holder()).pid, patience).not.toBeNull()
  const { run, pid } = await holder()
  const second = await start(stores, 'b')
  await second.ready()
  await expect.poll(async () => (await holder()).refused, patience).not.toBeNull()
  expect(await holder()).toMatchObject({ run, pid })
  await first.end('SIGTERM')
  await expect.poll(async () => (await holder()).pid, patience).not.toBe(pid)
  expect((await holder()).run).not.toBe(run)
})
