import { readFileSync, readdirSync, lstatSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { Dashboard, isRunning } from '#events/dashboard.ts'
import type { ScanRecord } from '#events/scans/calls.ts'
import { readConfig } from '#server/platform/config.ts'
import { compareJobs } from '#server/workers/jobs/index.ts'
import { openClickHouse } from '#server/platform/clickhouse/index.ts'
import { openPostgres } from '#server/platform/postgres/postgres.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { entriesAt } from '#server/content/snapshots/reading/entriesAt.ts'
import { snapshotAt } from '#server/content/snapshots/reading/snapshotAt.ts'
import { makeTree } from './testing/tree.ts'
import { startLocalStores } from './stores/index.ts'
import { type Product, agentOf, startProduct } from './testing.ts'

const scratch = testFolder('recovery')
const tree = join(scratch, 'tree')
const data = join(scratch, 'data')
let product: Product | undefined
afterAll(() => product?.stop())

const kills = 20
const random = (() => {
  let seed = 20_261
  return (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
})()

test('a kill of any process during a scan loses, doubles or changes nothing', { timeout: 1_800_000 }, async () => {
  makeTree(tree, 20_000)
  product = await startProduct(data, { folder: tree })
  expect((await lastScan(product)).state).toBe('done')
  const before = listTree()
  await product.stop()
  await asYesterday()
  product = await startProduct(data)
  for (let i = 0; i < kills; i++) {
    writeFileSync(join(tree, `added-${i}`), 'x'.repeat(i))
    expect([200, 409]).toContain(await beginScan(product))
    await new Promise((resolve) => setTimeout(resolve, random(1_200)))
    await killOne(i % 4)
    const scan = await lastScan(product)
    expect(scan.state === 'done' ? 'done' : scan.reason).toBeTruthy()
    expect(['done', 'failed']).toContain(scan.state)
  }
  await beginScan(product)
  expect((await lastScan(product)).state).toBe('done')
  await product.stop()
  await withStores(async ({ list, differences }) => {
    expect(await list(yesterday)).toEqual(before)
    expect(await list(undefined)).toEqual(listTree())
    expect(differences).toEqual([])
  })
})

/** Kills the server, its agent, nats-server or Postgres. */
async function killOne(which: number): Promise<void> {
  if (!product) return
  if (which === 0) {
    await product.kill()
    product = await startProduct(data)
    return
  }
  const pid = [agentOf(product.pid), natsServer(), postmaster()][which - 1]
  if (pid !== undefined) process.kill(pid, 'SIGKILL')
}

const natsServer = (): number => JSON.parse(readFileSync(join(data, 'nats/running.json'), 'utf8')).pid
const postmaster = (): number => Number.parseInt(readFileSync(join(data, 'postgres/postmaster.pid'), 'utf8'))

/** Starts a scan, retrying while the product is without the killed store. The first request may have succeeded. */
async function beginScan({ call }: Product): Promise<number> {
  for (;;) {
    const { status } = await call('POST', '/v1/scans/volumes/ids', [1])
    if (status !== 503) return status
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** The newest scan, once it is over. Retries while the product is without a store. */
async function lastScan({ call }: Product): Promise<ScanRecord> {
  for (;;) {
    const { status, answer } = await call('GET', '/v1/dashboard')
    const scans = status === 200 ? Dashboard.parse(answer).scans : []
    const newest = scans.toSorted((a, b) => b.scanId - a.scanId)[0]
    if (newest && !isRunning(newest)) return newest
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

type Line = { path: string; isDirectory: boolean; size: number }

/** The files on disk by path. */
function listTree(): Line[] {
  return readdirSync(tree, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path: path.slice(tree.length), isDirectory: false, size: lstatSync(path).size }))
    .sort(byPath)
}

const byPath = (a: Line, b: Line) => (a.path < b.path ? -1 : 1)
const yesterday = new Date(Date.now() - 86_400_000).toLocaleDateString('en-CA')

type Stores = { list: (date: string | undefined) => Promise<Line[]>; differences: unknown[] }

/** Opens the stores of the stopped product in the same way as the product. */
async function withStores(work: (stores: Stores) => Promise<void>): Promise<void> {
  const stores = await startLocalStores({ ...readConfig({}), data }, () => {})
  const db = openPostgres(stores.databaseUrl)
  const clickhouse = await openClickHouse(stores.clickhouseUrl)
  const list = async (date: string | undefined) => {
    const snapshot = await snapshotAt(db, 'everything', date)
    if (!snapshot) throw new Error('There is no snapshot')
    const lines = await clickhouse.rows<Line>(filesOf(entriesAt(snapshot)))
    return lines.sort(byPath)
  }
  await work({ list, differences: (await compareJobs(db)).differences })
  await clickhouse.close()
  await db.destroy()
  await stores.stop()
}

const filesOf = (entries: Sql) => sql`
  SELECT concat(parent_path, name) AS path, is_directory AS isDirectory, size FROM ${entries} WHERE NOT is_directory`

/** Moves all scans one day back, so that later scans create another date. */
async function asYesterday(): Promise<void> {
  const stores = await startLocalStores({ ...readConfig({}), data }, () => {})
  const db = openPostgres(stores.databaseUrl)
  await db.updateTable('scans').set({ indexingDate: yesterday }).execute()
  await db.updateTable('snapshots').set({ indexingDate: yesterday }).execute()
  await db.destroy()
  await stores.stop()
}
