import { execFileSync } from 'node:child_process'
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { TestProject } from 'vitest/node'
import { testedCluster } from '#server/platform/clickhouse/cluster/testing.ts'
import { migratePostgres } from '#server/platform/migrate.ts'
import { openPostgres } from '#server/platform/postgres/postgres.ts'
import { buildDerived } from '../local/buildDerived.ts'
import { findNatsServer } from '../local/stores/findNatsServer.ts'
import { startLocalPostgres } from '../local/stores/postgres.ts'
import { findProcess } from '../local/stores/processes.ts'

/** Values provided to every test file: see `server/platform/testing/stores.ts`. */
type TestStores = {
  databaseUrl: string
  template: string
  engine: string
  /** Folder of an engine that is a cluster; only with TEST_CLUSTER=1. */
  cluster: { engine: string } | undefined
  natsProgram: string
  folder: string
}

declare module 'vitest' {
  export interface ProvidedContext {
    stores: TestStores
  }
}

const prefix = 'dataintell-tests-'
const template = 'migrated'
const quiet = () => {}

let started: Promise<TestStores & { stop(): Promise<void> }> | undefined
let users = 0

/** Starts one Postgres for the run and creates the migrated database that each test file gets a copy of. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  users++
  const { stop, ...stores } = await (started ??= startStores())
  project.provide('stores', stores)
  return async () => {
    if (--users === 0) await stop()
  }
}

async function startStores() {
  await endAbandoned()
  buildDerived()
  const folder = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`))
  chmodSync(folder, 0o711)
  const postgres = await startLocalPostgres(folder, quiet, {
    settings: ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'],
  })
  // Restores access to the folder, which Postgres closed: test files have stores of their own in it, whose Postgres may
  // run as another user.
  chmodSync(folder, 0o711)
  const engine = join(folder, 'engine')
  migrateEngine(engine)
  const cluster = process.env['TEST_CLUSTER'] ? { engine: join(folder, 'cluster') } : undefined
  if (cluster) migrateEngine(cluster.engine, testedCluster.configuration)
  const databaseUrl = new URL(postgres.url)
  const main = openPostgres(databaseUrl.href)
  await sql`CREATE DATABASE ${sql.id(template)}`.execute(main)
  await main.destroy()
  databaseUrl.pathname = template
  const migrated = openPostgres(databaseUrl.href)
  await migratePostgres(migrated)
  await migrated.destroy()
  return {
    databaseUrl: postgres.url,
    template,
    engine,
    cluster,
    natsProgram: findNatsServer(join(import.meta.dirname, '../../.tools'), quiet),
    folder,
    async stop() {
      endNatsServers(folder)
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const migrateEngine = (...folderAndConfiguration: string[]): void =>
  void execFileSync(process.execPath, [join(import.meta.dirname, 'migratedEngine.ts'), ...folderAndConfiguration])

/** Ends the stores that a killed run left behind. */
async function endAbandoned(): Promise<void> {
  for (const folder of globSync(join(tmpdir(), `${prefix}*`))) {
    const [, owner] = /-(\d+)-[^-]+$/.exec(folder) ?? []
    if (findProcess(Number(owner))) continue
    endNatsServers(folder)
    for (const file of globSync(join(folder, 'postgres/postmaster.pid'))) endWhatRunsIn(folder, file)
    unmountAll(folder)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Unmounts everything in the folder of a killed run. */
function unmountAll(folder: string): void {
  for (const mounts of globSync('/proc/self/mountinfo')) {
    const points = readFileSync(mounts, 'utf8')
      .split('\n')
      .map((line) => line.split(' ')[4] ?? '')
    for (const point of points) if (point.startsWith(`${folder}/`)) execFileSync('umount', ['-l', point])
  }
}

/** Ends the nats-servers of test files that were killed before they could end them. */
function endNatsServers(folder: string): void {
  for (const file of globSync(join(folder, '*/nats.pid'))) endWhatRunsIn(folder, file)
}

function endWhatRunsIn(folder: string, pidFile: string): void {
  const pid = Number.parseInt(readFileSync(pidFile, 'utf8'))
  const commandLines = globSync(`/proc/${pid}/cmdline`).map((file) => readFileSync(file, 'utf8'))
  if (commandLines.some((line) => line.includes(folder))) process.kill(pid, 'SIGKILL')
}
