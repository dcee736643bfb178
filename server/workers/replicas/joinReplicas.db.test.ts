import { sql } from 'kysely'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { noFilters } from '#events/search/filters.ts'
import { findProblems } from '#server/messages/health/findProblems.ts'
import { beginJob, compareJobs, findJob, queueTagging } from '#server/workers/jobs/index.ts'
import { append, system } from '#server/platform/log/eventLog.ts'
import { follow } from '#server/platform/log/follow.ts'
import { standsBack } from '#server/platform/log/standBack.ts'
import { type KnownMigrations, readKnownMigrations } from '#server/platform/migrate.ts'
import { fingerprintOfKey, keyFor } from '#server/platform/secrets.ts'
import { testFolder, testPlatform } from '#server/platform/testing/stores.ts'
import { joinReplicas } from './joinReplicas.ts'
import { otherReplicas, outdatedHosts, replicaId } from './replicaRows.ts'

const platform = await testPlatform()
const { db } = platform
const known = await readKnownMigrations()
const fast = { everyMs: 50, noticedMs: 300 }
afterEach(() => db.deleteFrom('replicas').execute())

/** A server on these stores with a key of secrets of its own data folder, or of its environment. */
const serverOf = (port: number, secretKey?: string) => ({
  ...platform,
  config: { ...platform.config, port, secretKey, data: testFolder('data') },
})
const [one, other] = ['one key of secrets, which is long enough', 'another key of secrets, which is long enough']

async function join(server: ReturnType<typeof serverOf>, options: Parameters<typeof joinReplicas>[1] = {}) {
  const joined = await joinReplicas(server, { ...fast, ...options })
  onTestFinished(() => joined.stop())
  return joined
}

/** The row of a server of another version, seen now. */
const addRow = (host: string, versions: { postgres: string; clickhouse: string }, secretKey: string | null = null) =>
  db
    .insertInto('replicas')
    .values({ id: host, host, secretKey, ...versions, startedAt: new Date(Date.now() - 60_000) })
    .execute()
const newest = { postgres: known.postgres.at(-1) ?? '', clickhouse: known.clickhouse.at(-1) ?? '' }
const later = { ...newest, postgres: '9000_later.sql' }
const earlier = { ...newest, postgres: '0001_foundation.sql' }

test('a second server with the same key joins, with another one it refuses to start and names both', async () => {
  await join(serverOf(1, one))
  const second = await join(serverOf(2, one))
  const wrong = serverOf(3, other)
  const [first, its] = [await fingerprintOfKey(serverOf(1, one).config), await fingerprintOfKey(wrong.config)]
  await expect(joinReplicas(wrong, fast)).rejects.toThrow(
    new RegExp(`has ${first}, and this one has ${its}. Set DATAINTELL_SECRET_KEY to the same value`),
  )
  expect((await otherReplicas(db, { data: '', port: 0 })).length).toBe(2)
  await second.stop()
  expect((await otherReplicas(db, { data: '', port: 0 })).length).toBe(1)
})

test('of two servers that start at once with different keys, one starts', async () => {
  const starts = [serverOf(1, one), serverOf(2, other)].map((server) => join(server))
  const outcomes = await Promise.allSettled(starts)
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

test('a second server is refused while neither has a key, because each would make its own', async () => {
  const first = serverOf(1)
  await join(first)
  await expect(joinReplicas(serverOf(2), fast)).rejects.toThrow('has none yet, and this one has none yet')
  await keyFor(first.config, 'a purpose')
  const theirs = await fingerprintOfKey(first.config)
  const shown = async () => (await otherReplicas(db, { data: '', port: 0 }))[0]?.secretKey
  await expect.poll(shown).toBe(theirs)
})

test('a server with another key that was killed a moment ago keeps no one from starting', async () => {
  await addRow('killed', newest, 'deadbeef')
  await join(serverOf(1, one))
  expect((await otherReplicas(db, { data: '', port: 0 })).map(({ host }) => host)).toContain('killed')
})

test('a server that restarts keeps its entry, and entries of other servers that ended long ago are removed', async () => {
  const server = serverOf(1, one)
  await (await join(server)).stop()
  await join(server)
  await addRow('ended', newest)
  await sql`UPDATE replicas SET seen_at = now() - interval '2 days' WHERE id = 'ended'`.execute(db)
  await join(server)
  const rows = await db.selectFrom('replicas').select('id').execute()
  expect(rows).toEqual([{ id: replicaId(server.config) }])
})

test('while a newer version runs, this one follows no log and says so to administrators; then it continues', async () => {
  await join(serverOf(1, one))
  const handled: number[] = []
  const follower = follow(
    db,
    'tests',
    async ({ position }) => void handled.push(position),
    () => {},
  )
  onTestFinished(() => follower.stop())
  await addRow('newer', later)
  await expect.poll(standsBack).toBe(true)
  const note = () =>
    db
      .transaction()
      .execute((trx) => append(trx, 'volume-1', system, 1, () => [{ type: 'Noted', at: new Date().toISOString() }]))
  await note()
  // Longer than a follower waits for events.
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(handled).toEqual([])
  await db.deleteFrom('replicas').where('id', '=', 'newer').execute()
  await expect.poll(standsBack).toBe(false)
  await expect.poll(() => handled.length).toBeGreaterThan(0)
})

test('administrators see which servers run an earlier version until those are updated', async () => {
  await addRow('north', earlier)
  await addRow('south', newest)
  const shown = async () => (await findProblems(platform, new Set())).filter(({ key }) => key.startsWith('server '))
  expect(await outdatedHosts(db)).toEqual(['north'])
  expect(await shown()).toMatchObject([
    { key: 'server north, earlier version', message: expect.stringContaining('leaves schedules, notifications') },
  ])
  await db.deleteFrom('replicas').where('id', '=', 'north').execute()
  expect(await shown()).toEqual([])
})

test('a newer version waits until earlier ones have noticed it, and corrects their jobs when they are gone', async () => {
  const at = '2026-01-01T00:00:00.000Z'
  const payload = { tags: ['a'], remove: false, isDirectory: false, filters: noFilters }
  const queued = queueTagging(7, 7, payload, at)
  await db.transaction().execute((trx) => beginJob(trx, 7, system, queued))
  await addRow('north', earlier, await fingerprintOfKey(serverOf(1, one).config))
  await join(serverOf(1, one))
  await sql`UPDATE jobs SET evolve_version = 0, status = 'RUNNING' WHERE id = 7`.execute(db)
  await db.deleteFrom('replicas').where('id', '=', 'north').execute()
  await expect.poll(async () => (await compareJobs(db)).differences).toEqual([])
  expect(await findJob(db, 7)).toBeDefined()
})

test('a running server continues with a migration of the next version that says so, and stops with any other', async () => {
  const stopped: string[] = []
  const first: KnownMigrations = { postgres: known.postgres, clickhouse: known.clickhouse }
  await join(serverOf(1, one), { known: first, stop: (reason) => stopped.push(reason) })
  const number = newest.postgres.slice(0, 4)
  const apply = (name: string, minimum: string | null) =>
    db.insertInto('migrations').values({ store: 'postgres', name, checksum: 'x', minimum }).execute()
  onTestFinished(async () => void (await db.deleteFrom('migrations').where('name', 'like', '9%').execute()))
  await apply('9001_next.sql', number)
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(stopped).toEqual([])
  await apply('9002_after_next.sql', '9001')
  await expect
    .poll(() => stopped)
    .toEqual([expect.stringContaining('(postgres 9002_after_next.sql), and this version')])
})
