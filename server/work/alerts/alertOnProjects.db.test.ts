import { beforeEach, expect, test } from 'vitest'
import { sql } from 'kysely'
import { testDb } from '#server/platform/testing/stores.ts'
import { countFolders } from '#server/work/projects/testing.ts'
import { createFileStorage } from '#server/scanning/sources/index.ts'
import { testUser } from '#server/testing.ts'
import { alertOnProjects } from './index.ts'

const db = await testDb()
const { id: userId } = await testUser(db, [])
const gib = 1024 ** 3
const tib = 1024 ** 4
const volumeId = await createFileStorage(db, { name: 'Films', path: '/films' })
let scheduleId = 0

beforeEach(async () => {
  await sql`TRUNCATE projects, scans, snapshots, deliveries, schedules RESTART IDENTITY CASCADE`.execute(db)
  const payload = JSON.stringify({ threshold: 80, resourceIds: [] })
  const draft = { name: 'Space', cron: '0 0 * * * ?', jobGroup: 'ALERT', jobClass: 'PROJECT_SPACE_ALERT' } as const
  const row = db.insertInto('schedules').values({ ...draft, payload, paused: false, userId, nextDueAt: null })
  scheduleId = (await row.returning('id').executeTakeFirstOrThrow()).id
  await db.updateTable('users').set({ email: 'ana@example.com' }).execute()
})

async function newProject(name: string, path: string, allocatedSize: number): Promise<number> {
  const row = db.insertInto('projects').values({ name, description: '', allocatedSize }).returning('id')
  const { id } = await row.executeTakeFirstOrThrow()
  await db.insertInto('projectFolders').values({ projectId: id, volumeId, path, isNested: false }).execute()
  return id
}
/** Due times and checks after scans are an hour apart, unless a test moves the clock. */
let clock = new Date('2026-05-01T00:00:00Z')
const wait = (hours: number) => void (clock = new Date(clock.getTime() + hours * 3_600_000))
const draft = (threshold: number, projectIds: number[]) => {
  wait(1)
  const key = `schedule-1 ${clock.toISOString()}`
  return { name: 'Space', scheduleId, userId, threshold, projectIds, key, at: clock, repeats: true }
}
const tell = (threshold: number, projectIds: number[], more: object = {}) =>
  db.transaction().execute((trx) => alertOnProjects(trx, { ...draft(threshold, projectIds), ...more }))
/** Sends the alerts after a scan's figures are known. */
const look = (projectIds: number[], more: { threshold?: number; growthDays?: number; repeatHours?: number } = {}) =>
  db.transaction().execute((trx) => alertOnProjects(trx, { ...draft(80, projectIds), repeats: false, ...more }))
const deliveries = () => db.selectFrom('deliveries').select(['userId', 'subject', 'body']).execute()

test('a user is notified which projects reached the threshold, once for each due time; over 100 %, too', async () => {
  const [rushes, takes] = [await newProject('Rushes', '/a', 10 * tib), await newProject('Takes', '/b', tib)]
  await countFolders(db, volumeId, '2026-04-30', { '/a': 10 * tib, '/b': 0 })
  await countFolders(db, volumeId, '2026-05-01', { '/a': 8 * tib, '/b': 1.5 * tib })
  const both = { outcome: 'notified', reason: 'Rushes is at 80 %; Takes is at 150 %' }
  expect(await tell(80, [takes, rushes])).toEqual(both)
  expect(await tell(80, [takes, rushes])).toEqual({ outcome: 'nothing' })
  expect(await deliveries()).toEqual([
    {
      userId,
      subject: 'Space: Rushes, Takes have reached 80 %',
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
  expect(await tell(0, [rushes])).toEqual({ outcome: 'unknown', reason: 'The size of Rushes is not counted yet' })
  await countFolders(db, volumeId, '2026-05-01', {})
  const reason = 'The size of Rushes is not counted yet; deleted: 777'
  expect(await tell(0, [rushes, 777])).toEqual({ outcome: 'unknown', reason })
  expect(await deliveries()).toEqual([])
})

test('an alert of a user with limits sends nothing, and the run reports it', async () => {
  const rushes = await newProject('Rushes', '/a', tib)
  await countFolders(db, volumeId, '2026-05-01', { '/a': tib })
  const row = { userId, groupName: null, everything: false, projects: [rushes], storages: [], folders: '[]' }
  await db.insertInto('limits').values(row).execute()
  const reason = 'The user sees only some projects and storages; Rushes is at 100 %'
  expect(await tell(80, [rushes])).toEqual({ outcome: 'failed', reason })
  expect(await deliveries()).toEqual([])
  await db.deleteFrom('limits').execute()
})

test('without an address no one is notified, and the run reports it', async () => {
  const rushes = await newProject('Rushes', '/a', tib)
  await countFolders(db, volumeId, '2026-05-01', { '/a': tib })
  await db.updateTable('users').set({ email: null }).execute()
  const reason = 'The user has no email address; Rushes is at 100 %'
  expect(await tell(80, [rushes])).toEqual({ outcome: 'failed', reason })
})

test('a project is reported once after the scan in which it crosses the threshold, and again after it fell below it', async () => {
  const rushes = await newProject('Rushes', '/a', 1000 * gib)
  const outcomes: string[] = []
  for (const [day, share] of [500, 900, 950, 700, 800].entries()) {
    await countFolders(db, volumeId, `2026-05-0${day + 1}`, { '/a': share * gib })
    wait(24)
    for (const _ of [1, 2]) outcomes.push((await look([rushes])).outcome)
  }
  const [none, once] = [
    ['nothing', 'nothing'],
    ['notified', 'nothing'],
  ]
  expect(outcomes).toEqual([none, once, none, none, once].flat())
  expect((await deliveries()).map(({ body }) => body.split('\n')[2])).toEqual([
    '- Rushes: 90 % used, 900.0 GiB of 1000.0 GiB allocated, indexed on 2026-05-02',
    '- Rushes: 80 % used, 800.0 GiB of 1000.0 GiB allocated, indexed on 2026-05-05',
  ])
})

test('an alert of a due time is not repeated after the next scan, and counting figures changes nothing', async () => {
  const [rushes, takes] = [await newProject('Rushes', '/a', tib), await newProject('Takes', '/b', tib)]
  await countFolders(db, volumeId, '2026-05-01', { '/a': tib, '/b': 0 })
  await tell(80, [rushes, takes])
  await countFolders(db, volumeId, '2026-05-02', { '/b': tib })
  expect(await look([rushes, takes])).toMatchObject({
    outcome: 'notified',
    reason: expect.stringMatching(/^Takes is at 100 %/),
  })
  await countFolders(db, volumeId, '2026-05-03', { '/a': tib, '/b': tib })
  expect(await look([rushes, takes, 777])).toMatchObject({ outcome: 'unknown' })
  wait(24)
  expect(await tell(80, [rushes, takes])).toMatchObject({ reason: 'Rushes is at 100 %; Takes is at 100 %' })
})

test('an alert of growth compares with the oldest date in a number of days, once for each crossing', async () => {
  const [rushes, takes] = [await newProject('Rushes', '/a', tib), await newProject('Takes', '/b', tib)]
  const both = [rushes, takes]
  const grown = () => look(both, { threshold: 20, growthDays: 7 })
  await countFolders(db, volumeId, '2026-05-01', { '/a': 100 * gib, '/b': 0 })
  expect(await grown()).toMatchObject({ outcome: 'unknown' })
  const alone = { ...draft(20, [rushes]), growthDays: 1 }
  expect(await db.transaction().execute((trx) => alertOnProjects(trx, alone))).toEqual({
    outcome: 'unknown',
    reason: 'There is no earlier snapshot within 1 day to compare Rushes with',
  })
  await countFolders(db, volumeId, '2026-05-05', { '/a': 110 * gib, '/b': 0 })
  expect(await grown()).toEqual({ outcome: 'nothing' })
  await countFolders(db, volumeId, '2026-05-08', { '/a': 120 * gib, '/b': tib })
  const reason = 'Rushes grew by 20 % within 7 days; Takes grew from nothing within 7 days'
  expect(await grown()).toEqual({ outcome: 'notified', reason })
  expect(await deliveries()).toMatchObject([
    {
      subject: 'Space: Rushes, Takes have grown by 20 % within 7 days',
      body:
        '2 projects have grown by 20 % within 7 days:\n\n' +
        '- Rushes: grew by 20 %: 100.0 GiB on 2026-05-01, 120.0 GiB on 2026-05-08\n' +
        '- Takes: grew from nothing: 0 B on 2026-05-01, 1.0 TiB on 2026-05-08\n',
    },
  ])
  await countFolders(db, volumeId, '2026-05-09', { '/a': 140 * gib, '/b': tib })
  expect(await grown()).toEqual({ outcome: 'nothing' })
  await countFolders(db, volumeId, '2026-05-12', { '/a': 120 * gib, '/b': 900 * gib })
  expect(await grown()).toEqual({ outcome: 'nothing' })
  wait(24)
  await countFolders(db, volumeId, '2026-05-14', { '/a': 160 * gib, '/b': tib })
  expect(await grown()).toMatchObject({
    outcome: 'notified',
    reason: expect.stringMatching(/^Rushes grew by 33\.3 %/),
  })
})

test('a size that varies around the threshold is one mail, and another one after it was clearly below', async () => {
  const rushes = await newProject('Rushes', '/a', 1_000_000)
  const outcomes: string[] = []
  for (const [day, bytes] of [801, 799, 801, 799, 801, 759, 801].entries()) {
    wait(24)
    await countFolders(db, volumeId, `2026-05-0${day + 1}`, { '/a': bytes * 1000 })
    outcomes.push((await look([rushes])).outcome)
  }
  expect(outcomes).toEqual(['notified', 'nothing', 'nothing', 'nothing', 'nothing', 'nothing', 'notified'])
  expect((await deliveries())[0]?.subject).toBe('Space: Rushes has reached 80 %')
})

test('between two mails of a state is at least the interval, also if it was clear in between', async () => {
  const rushes = await newProject('Rushes', '/a', 1000)
  const size = (day: string, bytes: number) => countFolders(db, volumeId, day, { '/a': bytes })
  await size('2026-05-01', 900)
  expect(await look([rushes], { repeatHours: 24 })).toMatchObject({ outcome: 'notified' })
  await size('2026-05-02', 100)
  expect(await look([rushes], { repeatHours: 24 })).toEqual({ outcome: 'nothing' })
  await size('2026-05-03', 950)
  expect(await look([rushes], { repeatHours: 24 })).toEqual({ outcome: 'nothing' })
  wait(24)
  expect(await look([rushes], { repeatHours: 24 })).toMatchObject({ outcome: 'notified' })
  expect(await tell(80, [rushes], { repeatHours: 0 })).toMatchObject({ outcome: 'notified' })
  expect(await tell(80, [rushes], { repeatHours: 2 })).toEqual({ outcome: 'nothing' })
})

test('an alert that could not be mailed does not count as reported: it is mailed once the user has an address', async () => {
  const rushes = await newProject('Rushes', '/a', tib)
  await countFolders(db, volumeId, '2026-05-01', { '/a': tib })
  await db.updateTable('users').set({ email: null }).execute()
  expect(await look([rushes])).toMatchObject({ outcome: 'failed' })
  await db.updateTable('users').set({ email: 'ana@example.com' }).execute()
  expect(await look([rushes])).toMatchObject({ outcome: 'notified' })
  expect(await look([rushes])).toEqual({ outcome: 'nothing' })
  expect(await deliveries()).toHaveLength(1)
})

test('a mail links to the project, and a time reported by a clock that was ahead delays nothing', async () => {
  const rushes = await newProject('Rushes', '/a', tib)
  await countFolders(db, volumeId, '2026-05-01', { '/a': tib })
  await db.insertInto('configurations').values({ name: 'app.url', value: 'https://data.example.com/' }).execute()
  await tell(80, [rushes], { at: new Date('2028-01-01'), key: 'ahead' })
  expect((await deliveries())[0]?.body).toContain(`\nhttps://data.example.com/project/${rushes}\n`)
  await db.deleteFrom('configurations').execute()
  expect(await tell(80, [rushes])).toMatchObject({ outcome: 'notified' })
})
