import { expect, onTestFinished, test } from 'vitest'
import { ScheduleDraft } from '#events/schedules/calls.ts'
import { findJob } from '#server/workers/jobs/index.ts'
import { readStream } from '#server/platform/log/eventLog.ts'
import { countFolders } from '#server/work/projects/testing.ts'
import { createFileStorage } from '#server/scanning/sources/index.ts'
import { change } from '#server/platform/log/change.ts'
import { createSchedule } from './changeSchedule.ts'
import { listSchedules } from './listSchedules.ts'
import { runNow } from './runNow.ts'
import { testSchedules } from './testing/testSchedules.ts'

const { db, platform, heard, admin, at, films, music, far, otherAgent, endScans, scheduled, run, runsOf } =
  await testSchedules()
/** The volumes that the last run of a schedule scans. */
const scanned = async (id: number) => {
  const { jobId } = (await runsOf(id)).at(-1)!
  const job = await findJob(db, jobId ?? 0)
  return job && 'volumes' in job.payload ? job.payload.volumes : undefined
}

test('a due time starts a job once, and says so in the log and to browsers', async () => {
  const id = await scheduled('SCAN_VOLUMES', { volumes: [films, music], cloneIndex: false })
  heard.length = 0
  expect([await run('09:59:59'), heard]).toEqual([0, []])
  expect([await run('10:00:00'), await run('10:00:00'), await run('10:00:01')]).toEqual([1, 0, 0])
  const [started] = await runsOf(id)
  const jobId = started?.jobId ?? 0
  expect(started).toEqual({ scheduleId: id, dueAt: '10:00:00', outcome: 'started', jobId, reason: null })
  expect(await findJob(db, jobId)).toMatchObject({
    type: 'SCAN_ON_PREMISES',
    payload: { volumes: [films, music], cloneIndex: false },
  })
  const [, event] = await readStream(db, `schedule-${id}`)
  expect(event).toMatchObject({ event: { type: 'ScheduleStarted', jobId, outcome: 'started' }, actor: 'system' })
  expect((await readStream(db, `job-${jobId}`))[0]).toMatchObject({ actor: `schedule-${id}` })
  expect(heard).toEqual([{ type: 'changed', topics: ['schedules'] }])
})

test('an alert of projects looks at them each time it is due', async () => {
  await db.updateTable('users').set({ email: 'ana@example.com' }).execute()
  const project = db
    .insertInto('projects')
    .values({ name: 'Rushes', description: '', allocatedSize: 100 })
    .returning('id')
  const { id: projectId } = await project.executeTakeFirstOrThrow()
  await db.insertInto('projectFolders').values({ projectId, volumeId: films, path: '/a', isNested: false }).execute()
  await countFolders(db, films, '2026-05-01', { '/a': 90 })
  const payload = { threshold: 80, resourceIds: [projectId], repeatHours: 0 }
  const words = { name: 'Space', cron: '0 0 * * * ?', jobGroup: 'ALERT', jobClass: 'PROJECT_SPACE_ALERT', payload }
  const id = await change(platform, admin, [], (change) =>
    createSchedule(change, ScheduleDraft.parse(words), at('09:30:00')),
  )
  await run('10:00:00')
  await db.deleteFrom('projects').execute()
  await run('11:00:00')
  expect(await runsOf(id)).toMatchObject([
    { dueAt: '10:00:00', outcome: 'notified', reason: 'Rushes is at 90 %' },
    { dueAt: '11:00:00', outcome: 'unknown', reason: `Deleted: ${projectId}` },
  ])
})

test('each class scans what it names', async () => {
  const expected: [string, object, number[]][] = [
    ['SCAN_ALL_VOLUMES', {}, [films, music, far]],
    ['SCAN_ALL_STORAGES', {}, [films, music, far]],
    ['SCAN_SERVER', { serverId: otherAgent }, [far]],
    ['SCAN_STORAGES', { storageIdToPath: { [music]: '/a/b', [far]: '/' } }, [music, far]],
  ]
  for (const [jobClass, payload, volumes] of expected) {
    const id = await scheduled(jobClass, payload)
    await run('10:00:00')
    expect([jobClass, await scanned(id)]).toEqual([jobClass, volumes])
    await endScans()
  }
  const paths = db.selectFrom('scans').select(['volumeId', 'scannedPath']).orderBy('id', 'desc').limit(2)
  expect(await paths.execute()).toEqual([
    { volumeId: far, scannedPath: '' },
    { volumeId: music, scannedPath: '/a/b' },
  ])
})

test('a storage that is still being scanned is left out, and a run without any is skipped', async () => {
  const first = await scheduled('SCAN_VOLUMES', { volumes: [films] })
  const second = await scheduled('SCAN_VOLUMES', { volumes: [films, music] })
  await run('10:00:00')
  expect(await runsOf(first)).toMatchObject([{ outcome: 'started', reason: null }])
  expect(await runsOf(second)).toMatchObject([{ outcome: 'started', reason: 'Left out: Films (still being scanned)' }])
  expect(await scanned(second)).toEqual([music])
  await run('11:00:00')
  const reason = 'There is nothing left to scan: Films, Music (still being scanned)'
  expect((await runsOf(second))[1]).toMatchObject({ outcome: 'skipped', reason, jobId: null })
  const types = (await readStream(db, `schedule-${second}`)).map(({ event }) => (event as { type: string }).type)
  expect(types).toEqual(['Created', 'ScheduleStarted', 'ScheduleSkipped'])
})

test('a storage that was deleted since is named', async () => {
  const gone = await createFileStorage(db, { name: 'Gone', path: '/gone' })
  const some = await scheduled('SCAN_VOLUMES', { volumes: [films, gone] })
  const only = await scheduled('SCAN_VOLUMES', { volumes: [gone] })
  await db.updateTable('volumes').set({ deletedAt: new Date() }).where('id', '=', gone).execute()
  await run('10:00:00')
  expect(await runsOf(some)).toMatchObject([{ reason: `Left out: ${gone} (no longer set up)` }])
  expect(await runsOf(only)).toMatchObject([{ outcome: 'failed', jobId: null }])
})

test('while too many jobs wait a run is skipped', async () => {
  const id = await scheduled('SCAN_VOLUMES', { volumes: [films] })
  const later = await scheduled('SCAN_VOLUMES', { volumes: [music] })
  await db.insertInto('configurations').values({ name: 'jobQueuedLength', value: '1' }).execute()
  await run('10:00:00')
  await db.deleteFrom('configurations').execute()
  expect([await runsOf(id), await runsOf(later)]).toMatchObject([[{ outcome: 'skipped' }], [{ outcome: 'skipped' }]])
})

test('a schedule of a kind that has no storage does nothing, and says so', async () => {
  const indexes = await scheduled('SCAN_ALL_ARCHIWARES', {})
  const clusters = await scheduled('SCAN_ALL_DELL_POWER_SCALES', {})
  await run('10:00:00')
  expect(await runsOf(indexes)).toMatchObject([{ outcome: 'nothing', reason: 'There is no Archiware index to scan' }])
  expect(await runsOf(clusters)).toMatchObject([{ outcome: 'nothing' }])
})

test('buckets are scanned by a job of their own type, and not with the file storages', async () => {
  const credentials = { name: 'Studio', type: 'S3', accessKey: '', privateKey: '', url: '' } as const
  const credentialId = (
    await db.insertInto('bucketCredentials').values(credentials).returning('id').executeTakeFirstOrThrow()
  ).id
  const addBucket = async (name: string) => {
    const row = { type: 'S3', name, path: `s3://${name}`, agentId: 1 }
    const { id: volumeId } = await db.insertInto('volumes').values(row).returning('id').executeTakeFirstOrThrow()
    const kept = { volumeId, name, region: 'eu-west-1', credentialId }
    return { volumeId, ...(await db.insertInto('buckets').values(kept).returning('id').executeTakeFirstOrThrow()) }
  }
  const remove = (volumeId: number) =>
    db.updateTable('volumes').set({ deletedAt: new Date() }).where('id', '=', volumeId).execute()
  const { id, volumeId } = await addBucket('Cloud')
  const gone = await addBucket('Gone')
  const some = await scheduled('SCAN_BUCKETS', { bucketsId: [id, gone.id] })
  await expect(scheduled('SCAN_BUCKETS', { bucketsId: [999] })).rejects.toThrow('Validation errors')
  await remove(gone.volumeId)
  const all = await scheduled('SCAN_ALL_BUCKETS', {})
  const files = await scheduled('SCAN_ALL_VOLUMES', {})
  await run('10:00:00')
  const reason = `Left out: ${gone.id} (no longer set up)`
  expect(await runsOf(some)).toMatchObject([{ outcome: 'started', reason }])
  const [started] = await runsOf(some)
  expect(await findJob(db, started?.jobId ?? 0)).toMatchObject({
    type: 'SCAN_CLOUD',
    payload: { bucketsId: [id], cloneIndex: true },
  })
  expect(await runsOf(all)).toMatchObject([{ outcome: 'skipped' }])
  expect(await scanned(files)).toEqual([films, music, far])
  await remove(volumeId)
})

const runSchedule = (id: number, time: string) => change(platform, admin, [], (change) => runNow(change, id, at(time)))

test('a schedule runs now for a user, in addition to its times and while it is paused', async () => {
  const id = await scheduled('SCAN_VOLUMES', { volumes: [films] })
  await db
    .updateTable('schedules')
    .set({ paused: true, nextDueAt: null, dueAfter: null })
    .where('id', '=', id)
    .execute()
  const jobId = await runSchedule(id, '09:40:00')
  expect(await runsOf(id)).toMatchObject([{ dueAt: '09:40:00', outcome: 'started', jobId }])
  expect(await scanned(id)).toEqual([films])
  expect((await readStream(db, `job-${jobId}`))[0]).toMatchObject({ actor: admin.name })
  const [listed] = await listSchedules(platform, { jobGroup: 'SCANNER' }, admin)
  expect(listed).toMatchObject({ nextRuns: [], lastRun: { jobId, jobStatus: 'NEW' } })
})

test('a schedule is refused while its job runs, and without anything to scan', async () => {
  const id = await scheduled('SCAN_VOLUMES', { volumes: [films, music] })
  const jobId = await runSchedule(id, '09:40:00')
  await expect(runSchedule(id, '09:41:00')).rejects.toThrow(`Job ${jobId} of this schedule is still running`)
  const other = await scheduled('SCAN_VOLUMES', { volumes: [films] })
  await expect(runSchedule(other, '09:42:00')).rejects.toThrow('still being scanned')
  const none = await scheduled('SCAN_ALL_ARCHIWARES', {})
  await expect(runSchedule(none, '09:43:00')).rejects.toThrow('There is no Archiware index to scan')
  expect([await runsOf(other), await runsOf(none)]).toEqual([[], []])
  await expect(runSchedule(99, '09:44:00')).rejects.toThrow('There is no schedule 99')
})

test('of several missed times the last one runs, once, and the others are recorded', async () => {
  const id = await scheduled('SCAN_VOLUMES', { volumes: [films] })
  await run('14:20:00')
  expect(await runsOf(id)).toMatchObject([
    { dueAt: '10:00:00', outcome: 'skipped', reason: expect.stringContaining('2026-05-01T14:00:00.000Z') },
    { dueAt: '14:00:00', outcome: 'started' },
  ])
  const daily = await scheduled('SCAN_VOLUMES', { volumes: [music] }, '0 0 10 * * ?')
  await run('15:00:00')
  expect(await runsOf(daily)).toMatchObject([{ dueAt: '10:00:00', outcome: 'started' }])
})

test('when catching up is off, times missed by more than an hour are skipped', async () => {
  await db.insertInto('configurations').values({ name: 'catchUpMissedRuns', value: 'false' }).execute()
  onTestFinished(() =>
    db
      .deleteFrom('configurations')
      .execute()
      .then(() => {}),
  )
  const daily = await scheduled('SCAN_VOLUMES', { volumes: [music] }, '0 0 10 * * ?')
  await run('11:00:01')
  expect(await runsOf(daily)).toMatchObject([{ dueAt: '10:00:00', outcome: 'skipped', jobId: null }])
})

test('a schedule that cannot be run keeps no other back, and is tried again', async () => {
  const broken = await scheduled('SCAN_VOLUMES', { volumes: [films] })
  const whole = await scheduled('SCAN_VOLUMES', { volumes: [music] })
  await db.updateTable('schedules').set({ payload: '{}' }).where('id', '=', broken).execute()
  expect([await run('10:00:00'), await runsOf(broken)]).toEqual([1, []])
  expect(await runsOf(whole)).toMatchObject([{ outcome: 'started' }])
  await db
    .updateTable('schedules')
    .set({ payload: JSON.stringify({ volumes: [films] }) })
    .where('id', '=', broken)
    .execute()
  await run('10:00:05')
  expect(await runsOf(broken)).toMatchObject([{ outcome: 'started' }])
})

test('the last thousand runs are kept, in the table and in the log', async () => {
  const id = await scheduled('SCAN_VOLUMES', { volumes: [films] })
  const before = Array.from({ length: 1_005 }, (_, i) => new Date(at('00:00:00').getTime() - i * 60_000))
  await db
    .insertInto('scheduleRuns')
    .values(before.map((dueAt) => ({ scheduleId: id, dueAt, outcome: 'nothing' as const, jobId: null, reason: null })))
    .execute()
  await db
    .insertInto('events')
    .values(
      [2, 3].map((version) => ({
        stream: `schedule-${id}`,
        version,
        type: 'ScheduleHadNothing',
        data: '{}',
        evolveVersion: 1,
        actor: 'system',
        address: null,
        at: version === 2 ? '2026-01-01T00:00:00Z' : '2026-05-01T09:00:00Z',
      })),
    )
    .execute()
  await run('10:00:00')
  expect(await runsOf(id)).toHaveLength(1_000)
  expect((await readStream(db, `schedule-${id}`)).map(({ version }) => version)).toEqual([1, 3, 4])
})
