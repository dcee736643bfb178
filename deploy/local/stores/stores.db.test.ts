import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { chmodSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { hostname } from 'node:os'
import { expect, inject, onTestFinished, test } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { ensureStreams, openNats } from '#server/platform/nats/nats.ts'
import { openPostgres } from '#server/platform/postgres/postgres.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { atEndOfFile, oncePerFile } from '#server/platform/testing/testFile.ts'
import { findNatsServer } from './findNatsServer.ts'
import { startLocalPostgres, startLocalStores } from './index.ts'
import { readKey, startLocalNats } from './natsServer.ts'
import { freePort } from '../testing/freePort.ts'
import { findByCommandLine, isAlive, type ProcessIdentity, waitForEnd } from './processes.ts'
import { quiet, testStores } from './testing/startStores.ts'

const { start, stops } = testStores()

const dataFolder = () => testFolder('stores')

/** Stores that run until the end of the file, for tests that need no others. */
const sharedStores = oncePerFile(async () => {
  const data = dataFolder()
  const stores = await startLocalStores({ ...readConfig({}), data }, quiet)
  atEndOfFile(stores.stop)
  return { ...stores, data }
})

const postgresOf = (data: string) => findByCommandLine(`bin/postgres -D ${join(data, 'postgres')}`)
const natsOf = (data: string) => findByCommandLine(`-c ${join(data, 'nats/nats.conf')}`)

/** Starts the stores in a process of its own, like a server, and kills that process. */
async function leaveBehind(data: string): Promise<{ databaseUrl: string; natsUrl: string }> {
  const child = fork(join(import.meta.dirname, 'testing/holdStores.ts'), [data], { execArgv: [] })
  const [stores] = (await once(child, 'message')) as [{ databaseUrl: string; natsUrl: string }]
  child.kill('SIGKILL')
  await once(child, 'exit')
  return stores
}

async function answers(databaseUrl: string): Promise<unknown> {
  const db = openPostgres(databaseUrl)
  try {
    return (await sql<{ answer: number }>`SELECT 1 AS answer`.execute(db)).rows[0]?.answer
  } finally {
    await db.destroy()
  }
}

/** A busy session that does not respond to Postgres for a second or two. */
async function atWork(databaseUrl: string): Promise<{ over: Promise<void> }> {
  const db = openPostgres(databaseUrl)
  const work = sql`SELECT count(*) FROM generate_series(1, 10000000)`.execute(db).catch(() => {})
  const working = sql<{
    n: number
  }>`SELECT count(*)::int AS n FROM pg_stat_activity WHERE query LIKE '%generate_series%'
    AND state = 'active' AND pid <> pg_backend_pid()`
  await expect.poll(async () => (await working.execute(db)).rows[0]?.n).toBe(1)
  return { over: work.then(() => db.destroy()) }
}

test('stores that a killed server left running are adopted, and stop ends them', async () => {
  const data = dataFolder()
  const left = await leaveBehind(data)
  const [postgres, nats] = [postgresOf(data)!, natsOf(data)!]
  expect([isAlive(postgres), isAlive(nats)]).toEqual([true, true])
  const stores = await start(data)
  expect(stores).toMatchObject(left)
  expect([postgresOf(data), natsOf(data)]).toEqual([postgres, nats])
  expect(await answers(stores.databaseUrl)).toBe(1)
  await stores.stop()
  expect([postgresOf(data), natsOf(data)]).toEqual([undefined, undefined])
  const again = await start(data)
  expect(again.natsUrl).toBe(left.natsUrl)
  expect(await answers(again.databaseUrl)).toBe(1)
})

test('a start recovers from stores that were killed, though their numbers belong to others by now', async () => {
  const data = dataFolder()
  const { databaseUrl } = await leaveBehind(data)
  const { over } = await atWork(databaseUrl)
  for (const { pid } of [postgresOf(data)!, natsOf(data)!]) process.kill(pid, 'SIGKILL')
  await expect.poll(() => [postgresOf(data), natsOf(data)]).toEqual([undefined, undefined])
  const pidFile = join(data, 'postgres/postmaster.pid')
  const [, ...rest] = readFileSync(pidFile, 'utf8').split('\n')
  writeFileSync(pidFile, [process.pid, ...rest].join('\n'))
  const stores = await start(data)
  expect(await answers(stores.databaseUrl)).toBe(1)
  await over
})

test('a Postgres that dies is started again at its address', async () => {
  const { data, databaseUrl } = await sharedStores()
  const killed = postgresOf(data)
  process.kill(killed!.pid, 'SIGKILL')
  await expect.poll(() => answers(databaseUrl).catch(() => 'away')).toBe(1)
  expect(postgresOf(data)).not.toEqual(killed)
})

test('a Postgres that dies is started again at its address, even if a process of it does not end', async () => {
  const { data, databaseUrl } = await sharedStores()
  const killed = postgresOf(data)
  const db = openPostgres(databaseUrl)
  const { rows } = await sql<{ pid: number }>`
    SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'`.execute(db)
  await db.destroy()
  process.kill(rows[0]!.pid, 'SIGSTOP')
  process.kill(killed!.pid, 'SIGKILL')
  await expect.poll(() => answers(databaseUrl).catch(() => 'away')).toBe(1)
  expect(postgresOf(data)).not.toEqual(killed)
})

test('a Postgres whose port was taken before it had it is started on another', async () => {
  const data = dataFolder()
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const { port } = other.address() as AddressInfo
  const ports = [port, port]
  const { url, stop } = await startLocalPostgres(data, quiet, { findPort: async () => ports.pop() ?? freePort() })
  stops.push(stop)
  expect(new URL(url).port).not.toBe(String(port))
  expect(await answers(url)).toBe(1)
})

test('a nats-server whose port was taken before it had it is started on another', async () => {
  const data = dataFolder()
  const program = join(data, 'nats-server-too-late')
  const taken = join(data, 'taken')
  const take = `const { port } = JSON.parse(fs.readFileSync(process.argv[2]))
    net.createServer().listen(port, '127.0.0.1', () => fs.writeFileSync('${taken}', String(port)))
    setTimeout(() => process.exit(), 15000)`
  const real = findNatsServer(join(import.meta.dirname, '../../../.tools'), quiet)
  writeFileSync(`${program}.js`, take)
  writeFileSync(
    program,
    `#!/bin/sh
     [ -e ${taken} ] || node -e "$(cat ${program}.js)" -- "$@" 3>&- &
     while [ ! -e ${taken} ]; do sleep 0.05; done
     exec ${real} "$@"`,
  )
  chmodSync(program, 0o700)
  const { port, url, natsCredential, stop } = await startLocalNats(data, program)
  stops.push(stop)
  expect(port).not.toBe(Number(readFileSync(taken, 'utf8')))
  await (await openNats(url, { seed: natsCredential })).close()
})

test('visiting a running Postgres leaves it running', async () => {
  const { data, databaseUrl } = await sharedStores()
  const visit = await startLocalPostgres(data, quiet)
  expect(visit.url).toBe(databaseUrl)
  await visit.leave()
  expect(await answers(databaseUrl)).toBe(1)
})

test('a nats-server that dies is started again at its address and loses nothing', async () => {
  const { data, ...stores } = await sharedStores()
  const nats = await openNats(stores.natsUrl, { seed: stores.natsCredential })
  await ensureStreams(nats)
  await nats.js.publish('tasks.1.SCAN_VOLUMES', 'kept')
  const first = natsOf(data)!
  process.kill(first.pid, 'SIGKILL')
  await expect.poll(() => natsOf(data)?.pid).not.toBe(first.pid)
  const messages = () => nats.jsm.streams.info('TASKS').then(({ state }) => state.messages)
  await expect.poll(() => messages().catch(() => undefined)).toBe(1)
  await nats.close()
})

/** A nats-server from before there were accounts, with a task in its queue. */
async function runWithoutAccounts(data: string): Promise<void> {
  const configuration = join(data, 'nats/nats.conf')
  mkdirSync(join(data, 'nats'), { recursive: true })
  const port = await freePort()
  const users = [{ nkey: readKey(data, 'server').publicKey }]
  const jetstream = { store_dir: join(data, 'nats/jetstream') }
  const settings = { host: '127.0.0.1', port, jetstream, authorization: { users } }
  writeFileSync(configuration, JSON.stringify(settings))
  spawn(inject('stores').natsProgram, ['-c', configuration], { detached: true, stdio: 'ignore' }).unref()
  const seed = readKey(data, 'server').seed
  const connect = () => openNats(`nats://127.0.0.1:${port}`, { seed })
  const nats = await expect
    .poll(() => connect().catch(() => undefined))
    .toBeDefined()
    .then(connect)
  await ensureStreams(nats)
  await nats.js.publish('tasks.1.SCAN_VOLUMES', 'from before')
  await nats.close()
}

const end = async (known: ProcessIdentity) => {
  process.kill(known.pid, 'SIGTERM')
  await waitForEnd(known, 10_000)
}

test.each([
  ['still runs', async () => {}],
  ['has ended', end],
])('messages queued in a nats-server before there were accounts are kept, whether it %s', async (_, meanwhile) => {
  const data = dataFolder()
  await runWithoutAccounts(data)
  const before = natsOf(data)!
  await meanwhile(before)
  const { url, natsCredential, stop } = await startLocalNats(data, inject('stores').natsProgram)
  stops.push(stop)
  expect(isAlive(before)).toBe(false)
  const nats = await openNats(url, { seed: natsCredential })
  await ensureStreams(nats)
  expect((await nats.jsm.streams.info('TASKS')).state.messages).toBe(1)
  await nats.close()
})

test('a second server on a data folder is refused with the reason, and the first keeps running', async () => {
  const { data, ...first } = await sharedStores()
  const reason = `DataIntell already runs on ${data} (process ${process.pid} on ${hostname()}). Stop it first, or set DATAINTELL_DATA.`
  await expect(startLocalStores({ ...readConfig({}), data }, quiet)).rejects.toThrow(reason)
  expect(await answers(first.databaseUrl)).toBe(1)
})

test('stores with an address of their own are not started', async () => {
  const data = testFolder('stores')
  const config = {
    ...readConfig({}),
    data,
    databaseUrl: 'postgres://db.example/d',
    clickhouseUrl: 'https://ch.example',
    natsUrl: 'nats://nats.example',
  }
  const stores = await startLocalStores(config, quiet)
  stops.push(stores.stop)
  const { databaseUrl, clickhouseUrl, natsUrl } = config
  expect(stores).toMatchObject({ databaseUrl, clickhouseUrl, natsUrl })
  expect(globSync('*', { cwd: data })).toEqual(['agent', 'data.lock', 'identity.json'])
  expect(statSync(data).mode & 0o777).toBe(0o700)
})

test('no one can connect without a secret, and only the owner can read the secrets', async () => {
  const { data, ...stores } = await sharedStores()
  const url = new URL(stores.databaseUrl)
  url.password = 'guessed'
  await expect(answers(url.href)).rejects.toThrow('password authentication failed')
  await expect(openNats(stores.natsUrl)).rejects.toThrow('Authorization Violation')
  // As root, the data folder contains the cluster of another user, whose group may pass through.
  const { mode } = statSync(data)
  expect(mode & 0o777).toBe(process.getuid?.() === 0 ? 0o710 : 0o700)
  const secrets = [...globSync('keys/*', { cwd: data }), 'postgres.password']
  expect(secrets.length).toBe(4)
  expect(secrets.map((file) => statSync(join(data, file)).mode & 0o077)).toEqual([0, 0, 0, 0])
})
