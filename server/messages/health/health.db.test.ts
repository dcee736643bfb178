import { rename } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { LiveEvent } from '#events/live.ts'
import { streamNames } from '#events/streams.ts'
import { createApp } from '#server/app.ts'
import { openClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { onEveryServer } from '#server/platform/clickhouse/statements.ts'
import { readStream } from '#server/platform/log/eventLog.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { renewReplica, replicaId } from '#server/workers/replicas/replicaRows.ts'
import { asUser, testSession } from '#server/testing.ts'
import { absentAgent, findProblems, fullDisk, fullStream } from './findProblems.ts'
import { healthRoutes } from './routes.ts'
import { readProblems, watchHealth } from './watchHealth.ts'

const platform = await testPlatform()
const app = createApp(platform, healthRoutes(platform))
const none = new Set<string>()
const problem = { key: 'disk of the data folder', message: 'The disk of the data folder is almost full.' }

test('a problem is logged once, sent to the browsers and shown until it is solved', async () => {
  const pushed: LiveEvent[] = []
  const watch = (found: (typeof problem)[]) =>
    watchHealth({ ...platform, live: (event) => void pushed.push(event) }, async () => found)
  const shown = async () =>
    (await asUser(app, await testSession(platform.db, ['ROLE_ADMIN']))('GET', '/api/v1/health/problems')).body
  const inHealth = async () => (await asUser(app, undefined)('GET', '/actuator/health')).body.problems
  expect([await shown(), await inHealth()]).toEqual([[], []])
  await watch([problem])
  await watch([problem])
  expect(await shown()).toMatchObject([problem])
  expect(await inHealth()).toEqual([problem.key])
  await watch([])
  expect([await shown(), await inHealth()]).toEqual([[], []])
  await watch([problem])
  await watch([])
  const logged = await readStream<{ type: string }>(platform.db, streamNames.health)
  expect(logged.map(({ event }) => event.type.replace('HealthProblem', ''))).toEqual([
    'Found',
    'Solved',
    'Found',
    'Solved',
  ])
  expect(pushed).toEqual(Array.from({ length: 4 }, () => ({ type: 'changed', topics: ['health'] })))
})

test('two servers that look at the same moment log a problem once', async () => {
  const before = (await readStream(platform.db, streamNames.health)).length
  await Promise.all([1, 2, 3].map(() => watchHealth(platform, async () => [problem])))
  expect((await readStream(platform.db, streamNames.health)).length).toBe(before + 1)
})

test('a problem of one of two servers is not ended by the other, unless that server is gone', async () => {
  const own = { ...problem }
  const second = { ...platform, config: { ...platform.config, port: 2 } }
  for (const { config } of [platform, second])
    await renewReplica(platform.db, { id: replicaId(config), secretKey: null, postgres: '', clickhouse: '' }, true)
  const open = async () => (await readProblems(platform.db)).map(({ message }) => message)
  for (const known of await readProblems(platform.db)) expect(known.key).toBe(problem.key)
  await watchHealth(platform, async () => [])
  await watchHealth(second, async () => [])
  await watchHealth(second, async () => [own])
  expect(await open()).toEqual([`Server ${hostname()}: ${own.message}`])
  await watchHealth(platform, async () => [])
  expect(await open()).toHaveLength(1)
  await watchHealth(second, async () => [])
  expect(await open()).toEqual([])
  await watchHealth(second, async () => [own])
  await platform.db.deleteFrom('replicas').where('id', '=', replicaId(second.config)).execute()
  await watchHealth(platform, async () => [])
  expect(await open()).toEqual([])
  await platform.db.deleteFrom('replicas').execute()
})

test('only administrators are notified', async () => {
  const ask = asUser(app, await testSession(platform.db, ['ROLE_PROJECT_MANAGER']))
  expect((await ask('GET', '/api/v1/health/problems')).status).toBe(403)
})

test('a disk is full when little is left of it and little in all, and stays so until there is clearly more', () => {
  const disk = (total: number, free: number, open = none) => fullDisk('data folder', { total, free }, open).length
  expect([disk(100e9, 4.9e9), disk(100e9, 5e9), disk(10e12, 400e9), disk(0, 0)]).toEqual([1, 0, 0, 0])
  const open = new Set(['disk of the data folder'])
  expect([disk(100e9, 6e9, open), disk(100e9, 7.1e9, open)]).toEqual([1, 0])
  expect(fullDisk('data folder', { total: 100e9, free: 4.9e9 }, none)[0]?.message).toContain('4 % is free')
})

test('the stream is full when hardly anything more fits, and stays so until it is clearly emptier', () => {
  const stream = (free: number, open = none) => fullStream({ total: 100, free }, open).length
  expect([stream(4), stream(5), stream(14, new Set(['stream of scans']))]).toEqual([1, 0, 1])
})

test('the streams and tables of a sound product have no problem, and a store that is away is one', async () => {
  const keys = async (stores: Partial<typeof platform>) =>
    (await findProblems({ ...platform, ...stores }, none)).map(({ key }) => key).filter((key) => !key.includes('disk'))
  expect(await keys({})).toEqual([])
  const clickhouse = await openClickHouse('http://127.0.0.1:1')
  expect(await keys({ clickhouse })).toEqual(['store ClickHouse'])
  await clickhouse.close()
})

test('a store on a full disk is a problem with its reason, and the product is down for monitors', async () => {
  const writeCheck = () => Promise.reject(new Error('No space left on device'))
  const full = { ...platform, clickhouse: { ...platform.clickhouse, writeCheck } }
  expect(await findProblems(full, none)).toContainEqual({
    key: 'store ClickHouse',
    message: 'ClickHouse cannot be written: the disk is full.',
  })
  const ask = asUser(createApp(full, healthRoutes(full)), await testSession(platform.db, ['ROLE_ADMIN']))
  const { status, body } = await ask('GET', '/actuator/health')
  const reason = 'cannot be written: the disk is full'
  expect([status, body.components.clickhouse]).toEqual([503, { status: 'DOWN', reason }])
  expect((await ask('GET', '/api/v1/health/problems')).status).toBe(200)
})

test('a full stream is found', async () => {
  const { jsm, js } = platform.nats
  const { config } = await jsm.streams.info('SCANS')
  await jsm.streams.update('SCANS', { ...config, max_bytes: 10_000 })
  await js.publish('scans.1.1.entries', new Uint8Array(9_700))
  expect((await findProblems(platform, none)).map(({ key }) => key)).toContain('stream of scans')
  await jsm.streams.purge('SCANS')
  await jsm.streams.update('SCANS', config)
})

test('a damaged part is found, with its table', async () => {
  const { clickhouse } = platform
  await clickhouse.command(sql`CREATE TABLE damaged (n Int64) ENGINE = MergeTree ORDER BY n`)
  await clickhouse.command(sql`INSERT INTO damaged VALUES (1)`)
  const stored = clickhouse.system.storedTable('damaged')
  const [part] = await clickhouse.rows<{ path: string; name: string }>(
    sql`SELECT path, name FROM system.parts WHERE table = ${stored} AND active`,
  )
  await clickhouse.command(onEveryServer(`DETACH TABLE ${stored}`))
  await rename(part!.path, join(dirname(part!.path.replace(/\/$/, '')), 'detached', `broken-on-start_${part!.name}`))
  await clickhouse.command(onEveryServer(`ATTACH TABLE ${stored}`))
  const found = await findProblems(platform, none)
  expect(found.map(({ key }) => key)).toContain('table damaged')
  expect(found.find(({ key }) => key === 'table damaged')?.message).toBe(
    'A part of the table damaged cannot be read, and its data is missing. Restore a backup.',
  )
})

test('a storage that leaves out another file system is named, and one that leaves out those of the kernel is not', async () => {
  const { db } = platform
  const storage = async (name: string, folders: object[]) => {
    const notEntered = JSON.stringify({ count: folders.length, folders })
    const { id } = await db.insertInto('volumes').values({ name, path: '/' }).returning('id').executeTakeFirstOrThrow()
    const scan = await db
      .insertInto('scans')
      .values({ volumeId: id, jobId: 1, taskId: id, agentId: 1, state: 'done', attempt: 1, indexingDate: '2026-03-01' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db.updateTable('scans').set({ notEntered }).where('id', '=', scan.id).execute()
    await db.updateTable('volumes').set({ committedScan: scan.id }).where('id', '=', id).execute()
    return id
  }
  const id = await storage('Root', [
    { path: '/t', reason: 'fileSystem', detail: 'tmpfs' },
    { path: '/up', reason: 'sameFolder', detail: '/' },
  ])
  await storage('Bound', [{ path: '/up', reason: 'sameFolder', detail: '/' }])
  await storage('Whole', [])
  const problems = await findProblems(platform, none)
  expect(problems.filter(({ key }) => key.startsWith('storage'))).toEqual([
    {
      key: `storage ${id}, not included`,
      message:
        'Scans of the storage Root do not enter /t, which is another file system (tmpfs). Include file systems mounted below in its settings, or add them to its ignored paths.',
    },
  ])
})

test('agent 1 that another supervisor starts is missed after a minute of silence, and its own server has no such problem', async () => {
  const { db } = platform
  const lastActiveAt = new Date()
  await db.updateTable('agents').set({ lastActiveAt }).where('id', '=', 1).execute()
  const seed = `SU${'A'.repeat(56)}`
  const keysAfter = async (seconds: number, config: object) => {
    const deps = { db, config: { ...platform.config, ...config } }
    return (await absentAgent(deps, lastActiveAt.getTime() + seconds * 1_000)).map(({ key }) => key)
  }
  const elsewhere = { natsSeed: seed, agentSeed: undefined }
  expect(await keysAfter(59, elsewhere)).toEqual([])
  expect(await keysAfter(61, elsewhere)).toEqual(['agent 1 does not run'])
  expect([await keysAfter(61, { natsSeed: seed, agentSeed: seed }), await keysAfter(61, {})]).toEqual([[], []])
})
