import { expect, test } from 'vitest'
import { reportTag } from '#events/tags.ts'
import { findJob } from '#server/workers/jobs/index.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { today } from '#server/platform/days.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { isLong } from '#server/platform/testing/cases.ts'
import { reportTasks } from '#server/work/reports/index.ts'
import { testReports } from '#server/work/reports/oracle/testReports.ts'
import { testUser } from '#server/testing.ts'
import { handlersFor } from '#server/scanning/scans/testing/startScanning.ts'
import { changing } from '#server/work/tags/testing/changing.ts'
import { dying } from '#server/work/tags/testing/dying.ts'
import { controlJob } from '#server/workers/tasks/controlJob.ts'
import { startServerWorker } from '#server/workers/tasks/index.ts'
import { runReport } from './runReport.ts'
import { undoLeftRuns } from './undoRun.ts'

const { platform, path, ask, at, scan, create, launch, work, run, runs, tagged } = await testReports()
const { db, clickhouse } = platform
const everything = {
  type: 'SEARCH_QUERY',
  parameters: { searchQueryNode: { searchQueries: [{ name: { wildcard: '*.mov' } }] } },
  tags: ['again'],
}
/** Mails would need a PDF, which takes time. */
const delivery = { webhook: 'http://hooks.test/runs' }
const statusOf = async (jobId: number) => (await findJob(db, jobId))?.status
const control = (jobId: number, wanted: 'CANCELLED' | 'WAITING') =>
  controlJob(platform, handlersFor(platform), jobId, { wanted, by: system })
const cancel = (jobId: number) => control(jobId, 'CANCELLED')

/** Rows of found entries, of the report's tags, of the day, and the number of entries with its additional tag. */
async function left() {
  const tag = reportTag(`Weekly ${at.made}`, today())
  const count = async (rows: ReturnType<typeof sql>) => Number((await clickhouse.one<{ n: number }>(rows)).n)
  const { body } = await ask('GET', '/api/files/search?tag=again').expect(200)
  return {
    found: await count(sql`SELECT count() AS n FROM report_entries`),
    tags: await count(sql`SELECT count() AS n FROM entry_tags FINAL WHERE tag = ${tag} AND to_date > from_date`),
    again: body.total,
  }
}

/** Runs a server until done; `before` is called before each changing statement with the number of tagged storages. */
async function serve(before: (done: number, statement: string) => Promise<void>, isDone: () => Promise<boolean>) {
  const worker = startServerWorker(
    changing(platform, before),
    'RUN_REPORT',
    reportTasks(changing(platform, before)),
    50,
  )
  await expect.poll(isDone).toBe(true)
  await worker.stop()
}

/** Runs a server that dies before a statement. */
async function killedBefore(isReached: (done: number, statement: string) => boolean): Promise<void> {
  const { server, dead } = dying(platform, isReached)
  const worker = startServerWorker(server, 'RUN_REPORT', reportTasks(server), 60_000)
  await dead
  await worker.stop()
}

/** Once, when the first storage has its tags. */
function onceTagging(act: () => Promise<unknown>) {
  let isDone = false
  return async (done: number) => {
    if (isDone || done < 2) return
    isDone = true
    await act()
  }
}

test('a run that is cancelled while it tags leaves nothing it found and no tags, and says that it was cancelled', async () => {
  const id = await create(everything)
  await tagByHand('again')
  const jobId = await launch(id)
  await serve(
    onceTagging(() => cancel(jobId)),
    async () => (await statusOf(jobId)) === 'CANCELLED',
  )
  expect(await left()).toEqual({ found: 0, tags: 0, again: 1 })
  expect(await runs(id)).toMatchObject([{ status: 'CANCELLED', isKept: false, numberOfFilesFound: null }])
})

test('a run whose limits change while it tags leaves no tag on what its owner no longer sees', async () => {
  const id = await create(everything)
  const { id: ownerId } = await testUser(db, [])
  await db.updateTable('reportTemplates').set({ ownerId }).where('id', '=', id).execute()
  const see = async (...storages: number[]) => {
    await db.deleteFrom('limits').where('userId', '=', ownerId).execute()
    const limits = { userId: ownerId, everything: false, projects: [], storages, folders: '[]' }
    await db.insertInto('limits').values(limits).execute()
  }
  await see(at.first, at.second)
  const jobId = await launch(id)
  await serve(
    onceTagging(() => see(at.second)),
    async () => (await statusOf(jobId)) === 'SUCCESS',
  )
  const rows = sql`SELECT DISTINCT volume FROM entry_tags WHERE tag = 'again'`
  expect(await clickhouse.rows(rows)).toEqual([{ volume: at.second }])
  expect(await runs(id)).toMatchObject([{ isKept: true, numberOfFilesFound: 2 }])
})

/** An entry had a tag of the report before the run: it keeps it. */
async function tagByHand(tag: string): Promise<void> {
  await clickhouse.change(sql`
    INSERT INTO entry_tags (tag, volume, parent_path, name, is_directory, from_date, to_date, version)
    VALUES (${tag}, ${at.first}, '/', 'old.mov', false, ${at.day}, '2149-06-06', 0)`)
}

test('results of a run that was canceled while the server was down are deleted later', async () => {
  const id = await create(everything)
  const jobId = await launch(id)
  await killedBefore((done) => done >= 2)
  expect(await left()).toMatchObject({ found: 3, tags: 1, again: 1 })
  await undoLeftRuns(platform)
  expect(await left()).toMatchObject({ found: 3 })
  await cancel(jobId)
  await undoLeftRuns(platform)
  expect(await left()).toEqual({ found: 0, tags: 0, again: 0 })
})

const kills: [string, (done: number, statement: string, before: string) => boolean][] = [
  ['it keeps what it found', (_, __, before) => before.startsWith('INSERT INTO report_entries')],
  ['it has tagged nearly all', (done) => done === 5],
]
if (isLong) kills.push(['it tags', (done) => done === 2])
test.each(kills)('a server that is killed while %s is followed by one with one result', async (_, isReached) => {
  const id = await create({ ...everything, delivery })
  const jobId = await launch(id)
  let before = ''
  await killedBefore((done, statement) => {
    const isNow = isReached(done, statement, before)
    before = statement
    return isNow
  })
  expect(await statusOf(jobId)).toBe('RUNNING')
  await work(id)
  expect(await runs(id)).toMatchObject([{ status: 'SUCCESS', isKept: true, numberOfFilesFound: 3 }])
  expect(await left()).toEqual({ found: 3, tags: 3, again: 3 })
  const events = db.selectFrom('events').select('position').where('stream', '=', `report-${id}`)
  expect(await events.where('type', '=', 'ReportRan').execute()).toHaveLength(1)
  expect(await db.selectFrom('deliveries').select('id').execute()).toHaveLength(1)
})

test('a run that had ended when its server died is not run again', async () => {
  const id = await create({ ...everything, delivery })
  await run(id)
  const [{ id: runId }] = await runs(id)
  const never = async () => expect.unreachable('It is run again')
  expect(await runReport(platform, { templateId: id, name: 'Any', runId }, never)).toEqual({
    files: 3,
    folders: 0,
    bytes: 30,
    tagged: 3,
    toTag: 3,
  })
  expect(await db.selectFrom('deliveries').select('id').execute()).toHaveLength(1)
})

test('a report that is deleted while it runs has its run cancelled, and nothing of it is left', async () => {
  const id = await create(everything)
  const jobId = await launch(id)
  const remove = () => ask('DELETE', `${path}/${id}`).expect(204)
  await serve(onceTagging(remove), async () => (await statusOf(jobId)) === 'CANCELLED')
  expect(await left()).toEqual({ found: 0, tags: 0, again: 0 })
  expect(await db.selectFrom('reportRuns').select('id').where('templateId', '=', id).execute()).toEqual([])
})

test('a report that is deleted while its run is paused has it cancelled, and nothing of it is left', async () => {
  const id = await create(everything)
  const jobId = await launch(id)
  const pause = () => control(jobId, 'WAITING')
  await serve(onceTagging(pause), async () => (await statusOf(jobId)) === 'WAITING')
  expect(await left()).toMatchObject({ found: 3, tags: 1, again: 1 })
  await ask('DELETE', `${path}/${id}`).expect(204)
  expect(await statusOf(jobId)).toBe('CANCELLED')
  expect(await left()).toEqual({ found: 0, tags: 0, again: 0 })
})

test('a report that is deleted before its run began has it cancelled', async () => {
  const id = await create(everything)
  const jobId = await launch(id)
  await ask('DELETE', `${path}/${id}`).expect(204)
  expect(await statusOf(jobId)).toBe('CANCELLED')
})

test('a second run of the day that is cancelled leaves what the first one found and tagged', async () => {
  const id = await create(everything)
  await run(id)
  const before = await tagged(`Weekly ${at.made}`)
  expect(before).toHaveLength(3)
  await scan(at.first, ['other.mov'])
  const jobId = await launch(id)
  await serve(
    onceTagging(() => cancel(jobId)),
    async () => (await statusOf(jobId)) === 'CANCELLED',
  )
  expect(await left()).toMatchObject({ found: 3, tags: 3 })
  expect(await runs(id)).toMatchObject([{ status: 'CANCELLED' }, { status: 'SUCCESS', isKept: true }])
})
