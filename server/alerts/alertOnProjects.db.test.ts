import { beforeEach, expect, test } from 'vitest'
import { sql } from 'kysely'
import { testDb } from '#server/platform/testing/stores.ts'
import { countFolders } from '#server/projects/testing.ts'
import { createFileStorage } from '#server/sources/index.ts'
import { testUser } from '#server/testing.ts'
import { alertOnProjects } from './index.ts'

const db = await testDb()
const { id: userId } = await testUser(db, [])
const tib = 1024 ** 4
const volumeId = await createFileStorage(db, { name: 'Films', path: '/films' })

beforeEach(async () => {
  await sql`TRUNCATE projects, scans, snapshots, deliveries RESTART IDENTITY CASCADE`.execute(db)
  await db.updateTable('users').set({ email: 'ana@example.com' }).execute()
})

async function newProject(name: string, path: string, allocatedSize: number): Promise<number> {
  const row = db.insertInto('projects').values({ name, description: '', allocatedSize }).returning('id')
  const { id } = await row.executeTakeFirstOrThrow()
  await db.insertInto('projectFolders').values({ projectId: id, volumeId, path, isNested: false }).execute()
  return id
}
const tell = (threshold: number, projectIds: number[], key = 'schedule-1 2026-05-01T00:00:00.000Z') =>
  db.transaction().execute((trx) => alertOnProjects(trx, { name: 'Space', userId, threshold, projectIds, key }))
const told = () => db.selectFrom('deliveries').select(['userId', 'subject', 'body']).execute()

test('a user is told which projects reached the threshold, once for each due time; over 100 %, too', async () => {
  const [rushes, takes] = [await newProject('Rushes', '/a', 10 * tib), await newProject('Takes', '/b', tib)]
  await countFolders(db, volumeId, '2026-04-30', { '/a': 10 * tib, '/b': 0 })
  await countFolders(db, volumeId, '2026-05-01', { '/a': 8 * tib, '/b': 1.5 * tib })
  const both = { outcome: 'notified', reason: 'Rushes (80 %), Takes (150 %) reached 80 %' }
  expect(await tell(80, [takes, rushes])).toEqual(both)
  await tell(80, [takes, rushes])
  expect(await told()).toEqual([
    {
      userId,
      subject: 'Space: 2 projects have reached 80 %',
      body:
        '2 projects have reached 80 % of the allocated size:\n\n' +
        '- Rushes: 80 % used, 8.0 TiB of 10.0 TiB allocated, indexed on 2026-05-01\n' +
        '- Takes: 150 % used, 1.5 TiB of 1.0 TiB allocated, indexed on 2026-05-01\n',
    },
  ])
  expect(await tell(81, [rushes])).toEqual({ outcome: 'nothing' })
})

test('a project that is still being counted, or that is gone, is named', async () => {
  const rushes = await newProject('Rushes', '/a', tib)
  expect(await tell(0, [rushes])).toEqual({ outcome: 'nothing', reason: 'The size of Rushes is not counted yet' })
  await countFolders(db, volumeId, '2026-05-01', {})
  const reason = 'The size of Rushes is not counted yet; 777 not there any more'
  expect(await tell(0, [rushes, 777])).toEqual({ outcome: 'nothing', reason })
  expect(await told()).toEqual([])
})

test('without an address nobody is told, and the run says so', async () => {
  const rushes = await newProject('Rushes', '/a', tib)
  await countFolders(db, volumeId, '2026-05-01', { '/a': tib })
  await db.updateTable('users').set({ email: null }).execute()
  const reason = 'The user has no email address; Rushes (100 %) reached 80 %'
  expect(await tell(80, [rushes])).toEqual({ outcome: 'failed', reason })
})
