import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import { inject } from 'vitest'
import { subjects } from '#events/subjects.ts'
import { readConfig } from '#server/platform/config.ts'
import { uncompiled } from '#server/platform/clickhouse/embedded.ts'
import { type ClickHouse, openClickHouse } from '#server/platform/clickhouse/index.ts'
import { onOneServer, testedCluster } from '#server/platform/clickhouse/cluster/testing.ts'
import { openLog } from '#server/platform/logger.ts'
import { knownMigrations, recordIn } from '#server/platform/migrate.ts'
import { ensureStreams, type Nats, openNats } from '#server/platform/nats/nats.ts'
import type { Platform } from '#server/platform/platform.ts'
import { type Db, openPostgres } from '#server/platform/postgres/postgres.ts'
import { measured } from './phases.ts'
import { atEndOfFile, oncePerFile } from './testFile.ts'

/**
 * The stores of a test file: real, separate, migrated, and closed at the end of the file. Each is created at its first
 * use.
 */
export const testDb: () => Promise<Db> = oncePerFile(async () => {
  const db = openPostgres(await testDatabaseUrl())
  atEndOfFile(() => db.destroy())
  return db
})

/** Address of that database, for a process that opens it too. */
export const testDatabaseUrl: () => Promise<string> = oncePerFile(async () => {
  const { databaseUrl, template } = inject('stores')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const main = openPostgres(databaseUrl, { connections: 1 })
  await sql`CREATE DATABASE ${sql.id(name)} TEMPLATE ${sql.id(template)}`.execute(main)
  atEndOfFile(async () => {
    await sql`DROP DATABASE ${sql.id(name)} WITH (FORCE)`.execute(main)
    await main.destroy()
  })
  return Object.assign(new URL(databaseUrl), { pathname: name }).href
})

/** The embedded engine on a folder of the test file. */
export const testClickHouse: () => Promise<ClickHouse> = oncePerFile(async () => {
  const folder = join(testFolder('chdb'), 'engine')
  const { cluster } = inject('stores')
  await copyMigratedEngine(folder, cluster?.engine)
  const clickhouse = await measured('engine', () =>
    openClickHouse(`chdb:${folder}`, {
      settings: uncompiled,
      ...(cluster && { cluster: testedCluster.name, configuration: testedCluster.configuration, adapt: onOneServer }),
    }),
  )
  atEndOfFile(() => clickhouse.close())
  return clickhouse
})

/** Creates a folder of the embedded engine with all tables, and records the migrations in the test file's database. */
export async function copyMigratedEngine(folder: string, template = inject('stores').engine): Promise<void> {
  cpSync(template, folder, { recursive: true, verbatimSymlinks: true })
  const files = await knownMigrations('clickhouse')
  await (await testDb()).transaction().execute((trx) => recordIn(trx, 'clickhouse', files))
}

/** A nats-server with JetStream on a store and a port of the test file; it can be killed, emptied and started again. */
type TestNatsServer = { url: string; kill(): Promise<void>; start(): Promise<void>; forget(): void }

export const testNatsServer: () => Promise<TestNatsServer> = oncePerFile(async () => {
  const folder = testFolder('nats')
  let { child, port } = await measured('nats', () => startNatsServer(folder, -1))
  atEndOfFile(() => end(child))
  return {
    url: `nats://127.0.0.1:${port}`,
    kill: () => end(child),
    forget() {
      rmSync(folder, { recursive: true, force: true })
      mkdirSync(folder)
    },
    async start() {
      ;({ child, port } = await startNatsServer(folder, port))
    },
  }
})

/** A connection to it, with the streams created. */
export const testNats: () => Promise<Nats> = oncePerFile(async () => {
  const nats = await openNats((await testNatsServer()).url)
  atEndOfFile(() => nats.close())
  await ensureStreams(nats)
  return nats
})

/** All stores, with the configuration of an empty environment, a separate data folder and a silent log. */
export const testPlatform: () => Promise<Platform> = oncePerFile(async () => {
  const config = readConfig({ DATAINTELL_DATA: testFolder('data'), PORT: '0' })
  const [db, clickhouse, nats] = await Promise.all([testDb(), testClickHouse(), testNats()])
  const live: Platform['live'] = (event) => nats.connection.publish(subjects.live, JSON.stringify(event))
  const agentDoor = { natsUrl: (await testNatsServer()).url, admit: undefined }
  return { config, db, clickhouse, nats, agentDoor, live, log: openLog(undefined) }
})

/** A folder of the test file, removed at its end; readable for other users, as Postgres needs. */
export function testFolder(name = 'files'): string {
  const folder = mkdtempSync(join(inject('stores').folder, `${name}-`))
  chmodSync(folder, 0o711)
  atEndOfFile(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Port -1 means any free port. */
async function startNatsServer(folder: string, port: number): Promise<{ child: ChildProcess; port: number }> {
  const args = ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', folder, '-P', join(folder, 'nats.pid')]
  const child = spawn(inject('stores').natsProgram, args, { stdio: ['ignore', 'ignore', 'pipe'] })
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
