import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import { afterAll, inject } from 'vitest'
import { subjects } from '#events/subjects.ts'
import { readConfig } from '#server/config.ts'
import { type ClickHouse, openClickHouse } from './clickhouse/index.ts'
import { openLog } from './log.ts'
import { migrateClickHouse } from './migrate.ts'
import { ensureStreams, type Nats, openNats } from './nats.ts'
import type { Platform } from './platform.ts'
import { type Db, openPostgres } from './postgres.ts'

/** The stores of a test file: real, its own, migrated, and closed when the file is over. Each is made at its first use. */
export const testDb: () => Promise<Db> = madeOnce(async () => {
  const db = openPostgres(await testDatabaseUrl())
  afterAll(() => db.destroy())
  return db
})

/** The address of that database, for a process that opens it too. */
export const testDatabaseUrl: () => Promise<string> = madeOnce(async () => {
  const { databaseUrl, template } = inject('stores')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const main = openPostgres(databaseUrl, { connections: 1 })
  await sql`CREATE DATABASE ${sql.id(name)} TEMPLATE ${sql.id(template)}`.execute(main)
  afterAll(async () => {
    await sql`DROP DATABASE ${sql.id(name)} WITH (FORCE)`.execute(main)
    await main.destroy()
  })
  return Object.assign(new URL(databaseUrl), { pathname: name }).href
})

/** The embedded engine on a folder of the test file's own. */
export const testClickHouse: () => Promise<ClickHouse> = madeOnce(async () => {
  const folder = testFolder('chdb')
  const clickhouse = await openClickHouse(`chdb:${folder}`)
  afterAll(() => clickhouse.close())
  await migrateClickHouse(clickhouse, await testDb())
  return clickhouse
})

/** A nats-server with JetStream on a store and a port of the test file's own; it can be killed and started again. */
type TestNatsServer = { url: string; kill(): Promise<void>; start(): Promise<void> }

export const testNatsServer: () => Promise<TestNatsServer> = madeOnce(async () => {
  const folder = testFolder('nats')
  let { child, port } = await startNatsServer(folder, -1)
  afterAll(() => end(child))
  return {
    url: `nats://127.0.0.1:${port}`,
    kill: () => end(child),
    async start() {
      ;({ child, port } = await startNatsServer(folder, port))
    },
  }
})

/** A connection to it, with the streams made. */
export const testNats: () => Promise<Nats> = madeOnce(async () => {
  const nats = await openNats((await testNatsServer()).url)
  afterAll(() => nats.close())
  await ensureStreams(nats)
  return nats
})

/** All of them, with the configuration of an empty environment, a data folder of its own and a silent log. */
export const testPlatform: () => Promise<Platform> = madeOnce(async () => {
  const config = readConfig({ DATAINTELL_DATA: testFolder('data'), PORT: '0' })
  const [db, clickhouse, nats] = await Promise.all([testDb(), testClickHouse(), testNats()])
  const live: Platform['live'] = (event) => nats.connection.publish(subjects.live, JSON.stringify(event))
  const agentDoor = { natsUrl: (await testNatsServer()).url, admit: undefined }
  return { config, db, clickhouse, nats, agentDoor, live, log: openLog(undefined) }
})

/** A folder of the test file's own, removed when it is over; others may pass through it, as Postgres has to. */
export function testFolder(name = 'files'): string {
  const folder = mkdtempSync(join(inject('stores').folder, `${name}-`))
  chmodSync(folder, 0o711)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function madeOnce<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

/** A port of -1 is any that is free. */
async function startNatsServer(folder: string, port: number): Promise<{ child: ChildProcess; port: number }> {
  const words = ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', folder, '-P', join(folder, 'nats.pid')]
  const child = spawn(inject('stores').natsProgram, words, { stdio: ['ignore', 'ignore', 'pipe'] })
  let listensOn = port
  for await (const line of createInterface(child.stderr)) {
    const [, found] = /Listening for client connections on 127\.0\.0\.1:(\d+)/.exec(line) ?? []
    if (found) listensOn = Number(found)
    if (line.includes('Server is ready')) {
      child.stderr.resume()
      return { child, port: listensOn }
    }
  }
  throw new Error(`nats-server ended with ${child.exitCode}`)
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}
