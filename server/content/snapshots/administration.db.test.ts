import { beforeEach, expect, test } from 'vitest'
import { sql } from 'kysely'
import { subjects } from '#events/subjects.ts'
import { createApp } from '#server/app.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { asUser, testSession } from '#server/testing.ts'
import { newVolume } from './oracle/scanDisk.ts'
import { snapshotRoutes } from './routes.ts'

const platform = await testPlatform()
const { db } = platform
const app = createApp(platform, snapshotRoutes(platform))
const ask = asUser(app, await testSession(db, ['ROLE_ADMIN']))
const path = '/api/v1/administration/snapshots'

beforeEach(async () => {
  await sql`TRUNCATE volumes, scans, snapshots, events, deleted_snapshots RESTART IDENTITY CASCADE`.execute(db)
})

let task = 0
async function show(volumeId: number, state: 'done' | 'partial', bytes: number, ...dates: string[]) {
  const row = { volumeId, state, bytes, files: 2, folders: 1, indexingDate: dates[0] ?? '', jobId: 1, agentId: 1 }
  const { id: scanId } = await db
    .insertInto('scans')
    .values({ ...row, taskId: ++task })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const indexingDate of dates)
    await db.insertInto('snapshots').values({ indexingDate, volumeId, scanId }).execute()
  return scanId
}

test('snapshots are listed with what they hold', async () => {
  const [one, two] = [await newVolume(platform, 'one'), await newVolume(platform, 'two')]
  await show(one, 'done', 100, '2026-01-01', '2026-01-02')
  await show(two, 'partial', 9e15, '2026-01-02')
  const { body } = await ask('GET', path).expect(200)
  const held = { volumes: 2, isPartial: true, sizeOfFiles: 9e15 + 100, numberOfFiles: 4, numberOfFolders: 2 }
  expect(body).toMatchObject({ total: 2, sort: 'indexingDate', direction: 'desc' })
  expect(body.elements).toEqual([
    { indexingDate: '2026-01-02', ...held },
    {
      indexingDate: '2026-01-01',
      volumes: 1,
      isPartial: false,
      sizeOfFiles: 100,
      numberOfFiles: 2,
      numberOfFolders: 1,
    },
  ])
  const dates = async (query: string) =>
    (await ask('GET', `${path}?${query}`).expect(200)).body.elements.map(
      ({ indexingDate }: { indexingDate: string }) => indexingDate,
    )
  expect(await dates('sort=sizeOfFiles,asc')).toEqual(['2026-01-01', '2026-01-02'])
  expect(await dates('sort=isPartial&direction=desc&size=1&page=2')).toEqual(['2026-01-01'])
  await ask('GET', `${path}?sort=scans.id`).expect(400)
})

test('a snapshot is deleted once, by those who may, and the event log says by whom', async () => {
  const volumeId = await newVolume(platform, 'one')
  const scanId = await show(volumeId, 'done', 1, '2026-01-01', '2026-01-02')
  const heard = platform.nats.connection.subscribe(subjects.live, { max: 1 })
  const others = asUser(app, await testSession(db, ['ROLE_PROJECT_MANAGER']))
  await others('DELETE', `${path}/2026-01-02`).expect(403)
  await ask('DELETE', `${path}/2026-01-02`).expect(204)
  const again = await ask('DELETE', `${path}/2026-01-02`).expect(404)
  expect(again.body.message).toBe('There is no snapshot 2026-01-02')
  expect((await ask('GET', '/api/administration/dates')).body).toMatchObject([{ indexingDate: '2026-01-01' }])
  const events = await db.selectFrom('events').select(['stream', 'type', 'data', 'actor']).execute()
  expect(events).toMatchObject([
    {
      stream: 'snapshot-2026-01-02',
      type: 'Removed',
      actor: expect.stringMatching(/^user-/),
      data: { before: { indexingDate: '2026-01-02', volumes: [{ volumeId, scanId }] } },
    },
  ])
  for await (const message of heard)
    expect(message.json()).toEqual({ type: 'changed', topics: ['snapshots', 'volumes', 'dashboard'] })
})

test('a deletion that fails names the day', async () => {
  const failing = () => {
    throw new Error('Nobody expected this')
  }
  const broken = createApp(platform, snapshotRoutes({ ...platform, live: failing }))
  await show(await newVolume(platform, 'one'), 'done', 1, '2026-01-01')
  const { body } = await asUser(broken, await testSession(db, ['ROLE_ADMIN']))('DELETE', `${path}/2026-01-01`).expect(
    500,
  )
  expect(body.message).toBe('Error while trying to delete the snapshot for the date [2026-01-01]')
})

test('an invalid day is refused by name', async () => {
  for (const date of ['2026-02-30', '999999', 'newest', "'%20OR%201=1", '2026-1-1', `${'9'.repeat(5_000)}`]) {
    const { status, body } = await ask('DELETE', `${path}/${date}`)
    expect([date, status, body.subErrors?.[0].field]).toEqual([date, 400, 'date'])
  }
})
