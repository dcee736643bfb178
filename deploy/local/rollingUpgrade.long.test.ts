import { cpSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { evolveVersion } from '#events/jobs/events.ts'
import { noFilters } from '#events/search/filters.ts'
import { beginJob, queueTagging } from '#server/workers/jobs/index.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { openPostgres } from '#server/platform/postgres/postgres.ts'
import { copySources } from '#server/platform/testing/sources.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { freePort } from './testing/freePort.ts'
import { serverEnvironment, startExternalStores, startReplica } from './testing/externalStores.ts'
import { signedIn } from './testing.ts'

const patience = { timeout: 180_000, interval: 200 }
const migrations = join(import.meta.dirname, '../../migrations')
const newest = readdirSync(join(migrations, 'postgres')).toSorted().at(-1)!.slice(0, 4)

test('a server of the version before keeps answering during an update, leaves the rest to newer ones, and stops at the next version', async () => {
  const folder = testFolder('upgrade')
  const stores = await startExternalStores(folder)
  onTestFinished(() => stores.stop())
  const db = openPostgres(stores.databaseUrl)
  onTestFinished(() => db.destroy())
  const start = async (name: string, sources?: string) => {
    const replica = startReplica(serverEnvironment(stores, join(folder, name), await freePort()), sources)
    onTestFinished(() => replica.end('SIGKILL'))
    return replica
  }
  const next = await copySources()
  cpSync(migrations, join(next, 'migrations'), { recursive: true })
  const addMigration = (name: string, minimum: string) =>
    writeFileSync(
      join(next, 'migrations/postgres', name),
      `-- minimum: ${minimum}\nCREATE TABLE of_${name.slice(0, 4)} (a int);\n`,
    )

  const older = await start('older')
  await older.ready()
  const call = signedIn(older.address)
  const isAnswered = async () => (await call('GET', '/v1/jobs')).status
  expect(await isAnswered()).toBe(200)
  addMigration('9001_next.sql', newest)
  const newer = await start('newer', next)
  await newer.ready()
  const problems = async () =>
    ((await call('GET', '/v1/health/problems')).answer as { message: string }[]).map(({ message }) => message)
  await expect.poll(problems, patience).toContainEqual(expect.stringContaining('still runs the earlier one'))
  expect(await isAnswered()).toBe(200)

  // A job with an event that only the newer version knows is changed by the older one.
  const at = new Date().toISOString()
  const payload = { tags: ['a'], remove: false, isDirectory: false, filters: noFilters }
  await db.transaction().execute((trx) => beginJob(trx, 900, system, queueTagging(900, 900, payload, at).slice(0, 1)))
  const data = JSON.stringify({ type: 'JobAdmired', at })
  const unknown = {
    stream: 'job-900',
    version: 2,
    type: 'JobAdmired',
    data,
    evolveVersion: evolveVersion + 1,
    actor: 'system',
    address: null,
    at,
  }
  await db.insertInto('events').values(unknown).execute()
  expect((await call('GET', '/v1/jobs/900')).answer).toMatchObject({ id: 900, status: 'NEW' })
  expect((await call('PUT', '/v1/jobs/900', { status: 'CANCELLED' })).status).toBe(200)

  const again = await start('again')
  await expect.poll(again.ended, patience).not.toBeUndefined()
  expect(again.printed()).toContain('9001_next.sql is unknown here')
  expect(older.ended()).toBeUndefined()

  addMigration('9002_after_next.sql', '9001')
  const afterNext = await start('newest', next)
  await afterNext.ready()
  await expect.poll(older.ended, patience).toBe(0)
  expect(older.printed()).toContain('and this version can no longer use them. It stops')
  expect(newer.ended()).toBeUndefined()
  expect((await signedIn(newer.address)('GET', '/v1/jobs')).status).toBe(200)
}, 900_000)
