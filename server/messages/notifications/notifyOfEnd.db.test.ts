import { expect, test } from 'vitest'
import type { Job, JobEvent } from '#events/jobs/events.ts'
import type { NotificationStatus } from '#events/notifications/calls.ts'
import {
  beginJob,
  cancelTask,
  endTask,
  failTask,
  giveUpTask,
  queueAction,
  startTask,
  verifyTask,
} from '#server/workers/jobs/index.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { follow } from '#server/platform/log/follow.ts'
import { wakeFollowers } from '#server/platform/log/eventLog.ts'
import { testDb } from '#server/platform/testing/stores.ts'
import { beginScan, change, endedAt, testReader } from './testing.ts'
import { notifyOfEnd } from './notifyOfEnd.ts'

const db = await testDb()

const newest = async (): Promise<number> => {
  const events = db.selectFrom('events').select(({ fn }) => fn.max('position').as('newest'))
  return (await events.executeTakeFirst())?.newest ?? 0
}

/** Runs the follower to the end of the log. */
async function followAll(handle = notifyOfEnd): Promise<void> {
  const follower = follow(db, 'notifications', handle, () => wakeFollowers())
  const position = await newest()
  await expect
    .poll(() => db.selectFrom('followers').select('position').where('name', '=', 'notifications').executeTakeFirst())
    .toEqual({ position })
  await follower.stop()
}
const deliveries = () => db.selectFrom('deliveries').selectAll().orderBy('id').execute()
const forget = async () => {
  await db.deleteFrom('deliveries').execute()
  await db.deleteFrom('notifications').execute()
}

const ends: [string, (job: Job, taskId: number) => JobEvent[], NotificationStatus[]][] = [
  ['Scan completed', (job, id) => endTask(job, id, { files: 3 }, endedAt), ['ALWAYS', 'ON_SUCCESS']],
  ['Scan completed with warnings', (job, id) => endTask(job, id, { unreadable: 2 }, endedAt), ['ALWAYS', 'ON_WARNING']],
  ['Scan failed', (job, id) => failTask(job, id, 'gone', endedAt), ['ALWAYS', 'ON_ERROR']],
  ['Scan failed', (job, id) => giveUpTask(job, id, 'silent', endedAt), ['ALWAYS', 'ON_ERROR']],
  ['Scan was cancelled', (job, id) => cancelTask(job, id, 'ana', endedAt), ['ALWAYS']],
]
test.each(ends)('“%s” goes once to users with a matching notification', async (label, end, statuses) => {
  await forget()
  const all = ['ALWAYS', 'ON_ERROR', 'ON_SUCCESS', 'ON_WARNING'] as const
  const userId = await testReader(db, [...all.map((status) => ({ status })), { type: 'GENERATE_REPORT' }])
  const before = await newest()
  const jobId = 100 + ends.findIndex(([, other]) => other === end)
  await beginScan(db, jobId)
  await followAll()
  expect(await deliveries()).toEqual([])
  await change(db, jobId, (job) => end(job, jobId * 10 + 1))
  await followAll()
  await db.updateTable('followers').set({ position: before }).where('name', '=', 'notifications').execute()
  await followAll()
  const rows = await deliveries()
  const matching = await db.selectFrom('notifications').select(['id', 'status']).where('userId', '=', userId).execute()
  expect(rows.map(({ notificationId }) => matching.find(({ id }) => id === notificationId)?.status).sort()).toEqual(
    statuses,
  )
  expect(new Set(rows.map(({ subject }) => subject))).toEqual(new Set([`${label}: job ${jobId}`]))
})

test('a job of several tasks is reported when the last one ends, also if they end at once', async () => {
  await forget()
  await testReader(db, [{}])
  await beginScan(db, 201, [1, 2, 3])
  await change(db, 201, (job) => endTask(job, 2011, { files: 1 }, endedAt))
  await followAll()
  expect(await deliveries()).toEqual([])
  await change(db, 201, (job) => [...failTask(job, 2012, 'a', endedAt), ...failTask(job, 2013, 'b', endedAt)])
  await followAll()
  expect((await deliveries()).map(({ subject }) => subject)).toEqual(['Scan completed with warnings: job 201'])
})

test('the mail says what happened, to which storages, how long it took and where to see it', async () => {
  await forget()
  await testReader(db, [{ webhook: 'http://127.0.0.1:9/hook' }])
  const { id } = await db
    .insertInto('volumes')
    .values({ name: 'Films', path: '/films' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('configurations').values({ name: 'app.url', value: 'https://data.example.com/' }).execute()
  await beginScan(db, 301, [id, 99_999])
  await change(db, 301, (job) => endTask(job, 3012, { files: 1_234 }, endedAt))
  await change(db, 301, (job) => failTask(job, 3011, 'The folder is not there', endedAt))
  await followAll()
  const [mail, webhook] = await deliveries()
  expect(mail!.subject).toBe('Scan completed with warnings: Films')
  expect(mail!.body).toMatch(
    new RegExp(
      [
        '^Scan completed with warnings: Films',
        'Scan On-Premises, job 301\n',
        'Started: [\\d-]{10} \\d\\d:\\d\\d:00 .+',
        'Ended: [\\d-]{10} \\d\\d:\\d\\d:09 .+',
        'Duration: 1 h 5 min',
        'Files: 1,234\n',
        'Failed storages:',
        '- Films: The folder is not there\n',
        'https://data\\.example\\.com/settings/jobs\\?id=301\n$',
      ].join('\n'),
    ),
  )
  expect(JSON.parse(webhook!.body)).toMatchObject({ id: 301, status: 'WARNING', type: 'SCAN_ON_PREMISES' })
  expect([mail, webhook].map((row) => row!.key)).toEqual([
    `job-end-${mail!.position}-${mail!.notificationId}-email`,
    `job-end-${mail!.position}-${mail!.notificationId}-webhook`,
  ])
})

test('a scan that misses files of an action is reported to users with notifications of warnings, a complete one is not', async () => {
  await forget()
  await testReader(db, [
    { type: 'ARCHIVE_ARCHIWARE_FILES', status: 'ON_WARNING' },
    { type: 'ARCHIVE_ARCHIWARE_FILES', status: 'ON_ERROR' },
  ])
  const options = { planId: '1', clientId: 'c', serverId: 1, credentialsId: 1, meta: [], indexroot: '' }
  const payload = { ...options, deltaScanAfter: false, dataIntellPaths: ['/mnt/films'] }
  const part = { selection: 1, part: 0, system: 1, files: 3, bytes: 30, hash: '' }
  const action = { jobType: 'ARCHIVE_ARCHIWARE_FILES', payload } as const
  const events = queueAction(350, action, [{ taskId: 3501, serverId: 1, payload: part }], endedAt)
  await db.transaction().execute((trx) => beginJob(trx, 350, system, events))
  await change(db, 350, (job) => startTask(job, 3501, 1, endedAt))
  await change(db, 350, (job) => endTask(job, 3501, { toDo: 3, done: 3 }, endedAt))
  const verified = (missing: number) => {
    const found = { at: endedAt, target: { arrived: 3 - missing, changed: 0, missing }, storages: [] }
    return change(db, 350, (job) => verifyTask(job, 3501, found, missing === 0))
  }
  await verified(0)
  await followAll()
  expect(await deliveries()).toEqual([])
  await verified(1)
  await followAll()
  const sent = await deliveries()
  expect(sent.map(({ subject }) => subject)).toEqual(['Archive Archiware files completed with warnings: job 350'])
  expect(sent[0]?.about).toBe('job-350')
  expect(sent[0]?.body).toContain('A scan of the target found 2 files as they should be, 0 changed, 1 missing\n')
})

test('a job that ended before a notification was added is not reported, even if the follower is late', async () => {
  await forget()
  await beginScan(db, 401)
  await change(db, 401, (job) => endTask(job, 4011, {}, endedAt))
  await testReader(db, [{}])
  await db
    .updateTable('notifications')
    .set({ since: await newest() })
    .execute()
  await followAll()
  expect(await deliveries()).toEqual([])
  await beginScan(db, 402)
  await change(db, 402, (job) => endTask(job, 4021, {}, endedAt))
  await followAll()
  expect((await deliveries()).map(({ subject }) => subject)).toEqual(['Scan completed: Films'])
})

test('rows written for an event are committed with the position if the follower fails after it', async () => {
  await forget()
  await testReader(db, [{}])
  await beginScan(db, 501)
  await change(db, 501, (job) => endTask(job, 5011, {}, endedAt))
  let broken = 0
  await followAll(async (event, trx) => {
    await notifyOfEnd(event, trx)
    const { written } = await trx
      .selectFrom('deliveries')
      .select(({ fn }) => fn.countAll<number>().as('written'))
      .executeTakeFirstOrThrow()
    if (written > 0 && broken++ < 2) throw new Error('not now')
  })
  expect(broken).toBeGreaterThanOrEqual(3)
  expect(await deliveries()).toHaveLength(1)
})

test('a user with limits is notified only of jobs that they see', async () => {
  await forget()
  const userId = await testReader(db, [{}])
  await db.updateTable('users').set({ roles: [] }).where('id', '=', userId).execute()
  const limits = {
    everything: false,
    projects: [],
    storages: [2],
    folders: JSON.stringify([{ storageId: 1, path: '/a' }]),
  }
  await db
    .insertInto('limits')
    .values({ userId, ...limits })
    .execute()
  for (const [jobId, volumes] of [
    [901, [1]],
    [902, [2]],
    [903, [1, 2]],
  ] as const) {
    await beginScan(db, jobId, [...volumes])
    for (const at of volumes.keys()) await change(db, jobId, (job) => endTask(job, jobId * 10 + at + 1, {}, endedAt))
  }
  await followAll()
  expect((await deliveries()).map(({ about, shows }) => [about, shows?.places.length])).toEqual([['job-902', 2]])
})
