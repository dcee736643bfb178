import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { openPostgres } from '#server/platform/postgres/postgres.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { startLocalStores } from './index.ts'
import { findByCommandLine, isAlive, waitForEnd } from './processes.ts'

/*
 * Each of these lost data before data folders had an identity and a lock.
 */
const isRoot = process.getuid?.() === 0
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

async function start(data: string, adopt = false) {
  const stores = await startLocalStores({ ...readConfig({}), data }, () => {}, { adopt })
  ends.push(stores.stop)
  return stores
}

/** The stores in a process of their own, as with a server; `container` gives it a PID namespace of its own. */
async function hold(data: string, { container = false } = {}): Promise<{ child: ChildProcess; printed: string }> {
  const args = [process.execPath, join(import.meta.dirname, 'testing/holdStores.ts'), data]
  const unshare = ['unshare', '--fork', '--kill-child', '--pid', '--ipc', '--mount-proc']
  const [program = '', ...rest] = container ? [...unshare, ...args] : args
  const child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'pipe'] })
  ends.push(
    async () =>
      child.exitCode === null && child.signalCode === null && (child.kill('SIGKILL'), await once(child, 'exit')),
  )
  const held = { child, printed: '' }
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (held.printed += String(chunk)))
  await expect.poll(() => held.printed.includes('held') || child.exitCode !== null, { timeout: 60_000 }).toBe(true)
  return held
}

/** The stores in the state in which a killed server leaves them. */
async function leaveBehind(data: string) {
  const { child } = await hold(data)
  child.kill('SIGKILL')
  await once(child, 'exit')
  return [postgresOf(data)!, natsOf(data)!] as const
}

const postgresOf = (data: string) => findByCommandLine(`bin/postgres -D ${join(data, 'postgres')}`)
const natsOf = (data: string) => findByCommandLine(`-c ${join(data, 'nats/nats.conf')}`)

/** Stores a text in the settings, or reads all stored texts. */
async function noted(databaseUrl: string, note?: string): Promise<string[]> {
  const db = openPostgres(databaseUrl)
  try {
    await sql`CREATE TABLE IF NOT EXISTS notes (note text)`.execute(db)
    if (note !== undefined) await sql`INSERT INTO notes VALUES (${note})`.execute(db)
    return (await sql<{ note: string }>`SELECT note FROM notes`.execute(db)).rows.map(({ note }) => note)
  } finally {
    await db.destroy()
  }
}

test.runIf(isRoot)(
  'a second container on the folder of a running product is refused, and nothing changes',
  async () => {
    const data = testFolder('shared')
    const { databaseUrl } = await start(data)
    const before = [postgresOf(data), natsOf(data), readFileSync(join(data, 'postgres/postmaster.pid'), 'utf8')]
    const second = await hold(data, { container: true })
    expect(second.printed).toContain(`DataIntell already runs on ${data}`)
    expect([postgresOf(data), natsOf(data), readFileSync(join(data, 'postgres/postmaster.pid'), 'utf8')]).toEqual(
      before,
    )
    expect(await noted(databaseUrl, 'kept')).toEqual(['kept'])
  },
)

test.runIf(isRoot)('a container is refused while stores of a killed server run outside of it', async () => {
  const data = testFolder('shared')
  const [postgres, nats] = await leaveBehind(data)
  const second = await hold(data, { container: true })
  expect(second.printed).toContain('is still running, but not among the processes that this one can see')
  expect([isAlive(postgres), isAlive(nats)]).toEqual([true, true])
  await (await start(data)).stop()
  expect([isAlive(postgres), isAlive(nats)]).toEqual([false, false])
})

test.runIf(isRoot)('settings outside of a data folder wait for it while its disk is away', async () => {
  const parent = testFolder('closed')
  const data = join(parent, 'disk', 'data')
  mkdirSync(dirname(data), { mode: 0o700 })
  const first = await start(data)
  const { settingsFolder = '' } = first
  ends.unshift(async () => rmSync(settingsFolder, { recursive: true }))
  expect(settingsFolder).toMatch(/^\/var\/lib\/dataintell\//)
  await noted(first.databaseUrl, 'kept')
  await first.stop()
  renameSync(data, `${data}.away`)
  await expect(start(data)).rejects.toThrow(
    `The data folder ${data} is empty or incomplete, but ${settingsFolder}/postgres holds the settings, users and projects that belong to it. Mount the disk of the data folder.`,
  )
  expect(existsSync(data)).toBe(false)
  renameSync(`${data}.away`, data)
  expect(await noted((await start(data)).databaseUrl)).toEqual(['kept'])
})

test.runIf(isRoot)('a restrictive umask does not move the settings out of the data folder', async () => {
  const data = join(testFolder('umask'), 'a', 'data')
  const before = process.umask(0o077)
  try {
    expect((await start(data)).settingsFolder).toBeUndefined()
  } finally {
    process.umask(before)
  }
})

test('quotes, dollars and backslashes in the path of a data folder are only characters', async () => {
  const data = join(testFolder('odd'), `it's "$HOME" \\ 100 % {ü}`)
  const stores = await start(data)
  expect(await noted(stores.databaseUrl, 'kept')).toEqual(['kept'])
  expect(existsSync(join(data, 'nats/jetstream'))).toBe(true)
})

test('a folder that was moved is refused until it is adopted, and keeps its settings', async () => {
  const data = join(testFolder('moved'), 'data')
  const first = await start(data)
  await noted(first.databaseUrl, 'kept')
  await first.stop()
  const moved = `${data}-moved`
  renameSync(data, moved)
  await expect(start(moved)).rejects.toThrow('was last used as')
  const adopted = await start(moved, true)
  expect(await noted(adopted.databaseUrl)).toEqual(['kept'])
  await adopted.stop()
  expect(await noted((await start(moved)).databaseUrl)).toEqual(['kept'])
})

test('a copy that replaces the folder of a running product has stores of its own', async () => {
  const data = join(testFolder('replaced'), 'data')
  const first = await start(data)
  await noted(first.databaseUrl, 'before')
  await first.stop()
  execFileSync('cp', ['-a', data, `${data}.copy`])
  const running = await start(data)
  await noted(running.databaseUrl, 'after')
  expect(running.isFolderHeld()).toBe(true)
  renameSync(data, `${data}.away`)
  renameSync(`${data}.copy`, data)
  expect(running.isFolderHeld()).toBe(false)
  const replaced = await start(data)
  expect(replaced.databaseUrl).not.toBe(running.databaseUrl)
  expect(await noted(replaced.databaseUrl)).toEqual(['before'])
})

test('a start that fails leaves stores running that ran before, and ends those that it started', async () => {
  const data = testFolder('failed')
  const agentsListen = { host: '127.0.0.1', port: 1, cert: '/nowhere', key: '/nowhere' }
  const failing = (isRestart = false) =>
    expect(startLocalStores({ ...readConfig({}), data, agentsListen }, () => {}, { isRestart })).rejects.toThrow(
      '/nowhere',
    )
  await failing()
  expect([postgresOf(data), natsOf(data)]).toEqual([undefined, undefined])
  const [postgres, nats] = await leaveBehind(data)
  await failing()
  expect([isAlive(postgres), isAlive(nats)]).toEqual([true, true])
  await failing(true)
  expect([isAlive(postgres), isAlive(nats)]).toEqual([false, false])
})

test('a start that is refused changes neither owner nor permissions of the folder', async () => {
  const data = testFolder('foreign')
  await (await start(data)).stop()
  writeFileSync(join(data, 'nats/dataintell.json'), '{}')
  const before = statSync(data)
  await expect(start(data)).rejects.toThrow('is damaged')
  const { uid, gid, mode } = statSync(data)
  expect({ uid, gid, mode }).toEqual({ uid: before.uid, gid: before.gid, mode: before.mode })
})

test('a store that is killed while a start waits for it is started again', async () => {
  const data = testFolder('killed')
  const [postgres, nats] = await leaveBehind(data)
  for (const { pid } of [postgres, nats]) process.kill(pid, 'SIGSTOP')
  const starting = start(data)
  for (const { pid } of [postgres, nats]) process.kill(pid, 'SIGKILL')
  for (const known of [postgres, nats]) await waitForEnd(known, 10_000)
  expect(await noted((await starting).databaseUrl, 'works')).toEqual(['works'])
})
