import { expect, onTestFinished, test } from 'vitest'
import { reportTag } from '#events/tags.ts'
import { findJob } from '#server/workers/jobs/index.ts'
import { today } from '#server/platform/days.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { readStream } from '#server/platform/log/eventLog.ts'
import { forgetOldRuns } from './runs/forgetOldRuns.ts'
import { launchDue, startReports } from './startReports.ts'
import { testReports } from './oracle/testReports.ts'

const { platform, path, ask, reader, at, scan, source, draft, create, find, work, run, tagged } = await testReports()
const { db, clickhouse } = platform

test('a report finds what both storages have, tells its figures, and search finds it by its tag', async () => {
  const id = await create({ tags: ['again'] })
  expect(await find(id)).toMatchObject({ type: 'DUPLICATED', retention: 30, jobs: [], lastExecutionDate: null })
  await run(id)
  expect(await find(id)).toMatchObject({
    numberOfFilesFound: 1,
    numberOfFilesTotal: 2,
    sizeOfFilesFound: 10,
    sizeOfFilesTotal: 20,
    reportTag: reportTag(`Weekly ${at.made}`, today()),
    indexingDate: at.day,
    jobs: [{ status: 'SUCCESS' }],
    parameters: { references: [{ volumeName: `first ${at.made}` }] },
  })
  expect(await tagged(`Weekly ${at.made}`)).toEqual([[at.second, '/old.mov']])
  const { body } = await ask('GET', '/api/files/search?tag=again').expect(200)
  expect(body.total).toBe(1)
  expect((await ask('GET', `/api/v1/reports/${id}/jobs`).expect(200)).body).toHaveLength(1)
})

test('results of older runs are deleted by the retention, those of the newest and all figures stay', async () => {
  const id = await create({ retention: 1 })
  const [older, newer] = [await run(id), await run(id)]
  const longAgo = { endedAt: new Date('2026-01-01'), reportTag: reportTag(`Weekly ${at.made}`, '2026-01-01') }
  await db.updateTable('reportRuns').set(longAgo).where('id', '=', older).execute()
  await forgetOldRuns(platform)
  const { body } = await ask('GET', `/api/v1/reports/${id}/runs`).expect(200)
  expect(body.elements).toMatchObject([
    { id: newer, isKept: true, numberOfFilesFound: 1 },
    { id: older, isKept: false, numberOfFilesFound: 1 },
  ])
  const left = await clickhouse.rows(sql`SELECT DISTINCT run FROM report_entries WHERE run IN ${[older, newer]}`)
  expect(left).toEqual([{ run: newer }])
  const compared = await ask('GET', `/api/v1/reports/${id}/comparison?from=${older}&to=${newer}`)
  expect([compared.status, compared.body.code]).toEqual([409, 'not-kept'])
})

test('a check fails if too many files match, and its recipients are notified by mail and webhook', async () => {
  const checks = [
    { rule: 'MORE_FILES_THAN', value: 0 },
    { rule: 'BYTES_GREW_BY', value: 10, level: 'WARN' },
  ]
  const webhook = 'http://hooks.test/secret'
  const delivery = { addresses: ['ana@test.test'], webhook, when: 'CHECK_NOT_PASSED' }
  const id = await create({ checks, delivery })
  const stored = await db.selectFrom('reportTemplates').select('webhook').executeTakeFirstOrThrow()
  expect(stored.webhook).not.toContain('secret')
  expect((await find(id)).delivery).toEqual({ ...delivery, webhookFormat: 'AUTO', webhookTemplate: null })
  expect((await reader('GET', `${path}/${id}`).expect(200)).body.delivery).toBeNull()
  expect((await reader('GET', '/api/v1/reports/checks').expect(200)).body).toMatchObject([{ id, state: null }])
  await run(id)
  const reason = '1 file matches; the limit is 0'
  expect((await reader('GET', '/api/v1/reports/checks').expect(200)).body).toMatchObject([
    { id, state: 'FAILED', reason, numberOfFilesFound: 1 },
  ])
  const rows = await db
    .selectFrom('deliveries')
    .select(['channel', 'address', 'subject', 'body'])
    .orderBy('id')
    .execute()
  expect(rows).toMatchObject([
    { channel: 'email', address: 'ana@test.test', subject: `Report Weekly ${at.made}: check failed` },
    { channel: 'webhook', body: expect.stringContaining('"numberOfFilesFound":1') },
  ])
  expect(rows[0]?.body).toContain(reason)
  const jobId = (await find(id)).jobs[0].id
  expect(await findJob(db, jobId)).toMatchObject({ status: 'SUCCESS', result: { reason: `Check failed: ${reason}` } })
  expect(rows[0]?.body).toContain(`Attached: Weekly ${at.made}-${at.day}.pdf, Weekly ${at.made}-${at.day}.csv.`)
})

test('a report starts at its time, once, and not while it runs', async () => {
  const id = await create({ schedule: { cron: '0 0 0 * * ?' } })
  expect((await find(id)).nextRuns).toHaveLength(3)
  const due = new Date(Date.now() + 2 * 86_400_000)
  expect(await Promise.all([launchDue(platform, due), launchDue(platform, due)])).toContain(1)
  expect(await launchDue(platform, due)).toBe(0)
  const again = await ask('POST', `${path}/${id}/jobs`)
  expect([again.status, again.body.code]).toEqual([409, 'running'])
  await work(id)
  const { body } = await ask('GET', `/api/v1/reports/${id}/runs`).expect(200)
  expect(body.elements).toMatchObject([{ by: 'schedule', status: 'SUCCESS' }])
})

const dueAt = async (id: number) =>
  (await db.selectFrom('reportTemplates').select('nextDueAt').where('id', '=', id).executeTakeFirstOrThrow()).nextDueAt

test('due times of reports follow time zone and clock, and are the times shown', async () => {
  const zone = process.env['TZ']
  onTestFinished(() => void (zone === undefined ? delete process.env['TZ'] : (process.env['TZ'] = zone)))
  process.env['TZ'] = 'Etc/UTC'
  const id = await create({ schedule: { cron: '0 0 3 * * ?' } })
  expect((await dueAt(id))?.getUTCHours()).toBe(3)
  process.env['TZ'] = 'America/New_York'
  const real = new Date()
  let now = real
  const running = startReports(platform, () => now)
  onTestFinished(() => running.stop())
  await expect.poll(async () => [7, 8].includes((await dueAt(id))?.getUTCHours() ?? 0)).toBe(true)
  expect((await find(id)).nextRuns[0]).toBe((await dueAt(id))?.toISOString())
  now = new Date(real.getTime() + 730 * 86_400_000)
  await expect.poll(async () => (await dueAt(id))!.getTime() > now.getTime()).toBe(true)
  expect((await find(id)).nextRuns[0]).toBe((await dueAt(id))?.toISOString())
  now = real
  await expect.poll(async () => (await dueAt(id))!.getTime() - now.getTime() < 2 * 86_400_000).toBe(true)
  await work(id)
})

test('when catching up is off, a report that is hours late is skipped and recorded', async () => {
  await db.insertInto('configurations').values({ name: 'catchUpMissedRuns', value: 'false' }).execute()
  onTestFinished(() =>
    db
      .deleteFrom('configurations')
      .execute()
      .then(() => {}),
  )
  const id = await create({ schedule: { cron: '0 0 3 * * ?' } })
  const late = new Date((await dueAt(id))!.getTime() + 5 * 3_600_000)
  expect(await launchDue(platform, late)).toBe(0)
  expect((await dueAt(id))!.getTime()).toBeGreaterThan(late.getTime())
  const types = (await readStream(db, `report-${id}`)).map(({ event }) => (event as { type: string }).type)
  expect(types).toEqual(['Created', 'ReportSkipped'])
  await db.updateTable('configurations').set({ value: 'true' }).execute()
  const next = new Date((await dueAt(id))!.getTime() + 5 * 3_600_000)
  expect(await launchDue(platform, next)).toBe(1)
  await work(id)
})

test('a report of a storage that is gone shows Invalid, and its run fails and says so', async () => {
  const id = await create()
  await db.updateTable('volumes').set({ deletedAt: new Date() }).where('id', '=', at.first).execute()
  await run(id)
  const report = await find(id)
  expect([report.jobs[0].status, report.parameters.references[0].volumeName]).toEqual(['FAILURE', 'Invalid'])
  const { body } = await ask('GET', `/api/v1/reports/${id}/runs`).expect(200)
  expect(body.elements[0].reason).toBe(`Storage first ${at.made} of the report no longer exists`)
})

test('a check whose data is gone is unknown, not passed, also if the run fails', async () => {
  const checks = [{ rule: 'MORE_FILES_THAN', value: 0 }]
  const searchQueryNode = { searchQueries: [{ volumeId: { values: [at.second] } }] }
  const query = await create({ type: 'SEARCH_QUERY', checks, parameters: { searchQueryNode } })
  await run(query)
  expect((await find(query)).check.state).toBe('FAILED')
  const compared = await create({ name: `Compared ${at.made}`, checks: [{ rule: 'MORE_FILES_THAN', value: 9 }] })
  await run(compared)
  expect((await find(compared)).check.state).toBe('PASSED')
  // A storage that was scanned again is replaced for the next test.
  await scan(at.second, ['old.mov', 'new.mov'])
  const gone = { deletedAt: new Date(), committedScan: null, generation: null }
  await db.updateTable('volumes').set(gone).where('id', '=', at.second).execute()
  await run(query)
  expect((await find(query)).check).toEqual({ state: 'UNKNOWN', reason: `there is no data of second ${at.made}` })
  await run(compared)
  const reason = `The last run failed: Storage second ${at.made} of the report no longer exists`
  expect((await find(compared)).check).toEqual({ state: 'UNKNOWN', reason })
  const { body } = await reader('GET', '/api/v1/reports/checks').expect(200)
  expect(body.map(({ state }: { state: string }) => state)).toEqual(['UNKNOWN', 'UNKNOWN'])
})

test('a report may start at most once a minute, and a stored one that starts more often can be changed', async () => {
  const message = 'may run at most once a minute: the seconds must be a single number, such as 0'
  const often = { schedule: { cron: '0,1 0 0 * * ?' } }
  expect((await ask('POST', path, draft(often)).expect(400)).body.subErrors).toEqual([{ field: 'cron', message }])
  const id = await create({ schedule: { cron: '0 0 0 * * ?' } })
  const { name } = await find(id)
  await ask('PUT', `${path}/${id}`, draft({ name, ...often })).expect(400)
  await db.updateTable('reportTemplates').set(often.schedule).where('id', '=', id).execute()
  await ask('PUT', `${path}/${id}`, draft({ name, ...often, retention: 7 })).expect(200)
  await ask('DELETE', `${path}/${id}`).expect(204)
})

test('problems of a report are named by field', async () => {
  const wrong = async (of: object) => (await ask('POST', path, draft(of)).expect(400)).body.subErrors
  const named = (field: string) => [expect.objectContaining({ field })]
  expect(await wrong({ name: ' ' })).toEqual(named('name'))
  expect(await wrong({ retention: 0 })).toEqual(named('retention'))
  expect(await wrong({ parameters: { references: [source(at.first)] } })).toEqual(named('parameters.comparison'))
  expect(await wrong({ type: 'SEARCH_QUERY', parameters: {} })).toEqual(named('parameters.searchQueryNode'))
  const id = await create()
  expect(await wrong({})).toEqual(named('name'))
  expect((await ask('PUT', `${path}/${id}`, draft({ name: 'Other' })).expect(400)).body.subErrors).toEqual(
    named('name'),
  )
  await ask('PUT', `${path}/${id}`, draft({ type: 'UNIQUE' })).expect(200)
  expect(await find(id)).toMatchObject({ type: 'UNIQUE' })
  await reader('POST', `${path}/${id}/jobs`).expect(403)
  await ask('DELETE', `${path}/${id}`).expect(204)
  await ask('GET', `${path}/${id}`).expect(404)
})

test('the types are labeled with their words', async () => {
  expect((await reader('GET', `${path}/types`)).body).toEqual(['DUPLICATED', 'UNIQUE', 'SEARCH_QUERY'])
  expect((await reader('GET', `${path}/dataSources/types`)).body).toEqual(['VOLUME', 'PROJECT'])
  expect((await reader('GET', path).expect(200)).body).toMatchObject({ size: 25, sort: 'name', direction: 'asc' })
})

test('a second run of the day takes its tag from what it does not find, and both are compared', async () => {
  const id = await create({ type: 'UNIQUE' })
  const from = await run(id)
  expect(await tagged(`Weekly ${at.made}`)).toEqual([[at.second, '/new.mov']])
  await scan(at.second, ['old.mov', 'newer.mov', 'newest.mov'])
  const to = await run(id)
  expect((await tagged(`Weekly ${at.made}`)).sort()).toEqual([
    [at.second, '/newer.mov'],
    [at.second, '/newest.mov'],
  ])
  const query = `from=${from}&to=${to}`
  const { body } = await reader('GET', `/api/v1/reports/${id}/comparison?${query}`).expect(200)
  expect(body.totals).toEqual({
    NEW: { files: 2, folders: 0, bytes: 20 },
    GONE: { files: 1, folders: 0, bytes: 10 },
    STILL_THERE: { files: 0, folders: 0, bytes: 0 },
  })
  const rows = async (rest: string) =>
    (await reader('GET', `/api/v1/reports/${id}/comparison/entries?${query}&${rest}`).expect(200)).body
  const one = await rows('difference=NEW&size=1')
  expect(one.elements).toMatchObject([{ path: '/newer.mov', volumeName: `second ${at.made}`, size: 10 }])
  expect(await rows(`difference=NEW&size=1&cursor=${one.cursor}`)).toMatchObject({
    elements: [{ path: '/newest.mov' }],
    cursor: null,
  })
  expect((await rows('difference=GONE')).elements).toMatchObject([{ path: '/new.mov' }])
  await ask('GET', `/api/v1/reports/${id}/comparison/entries?${query}&difference=NEW&cursor=x`).expect(400)
  await ask('GET', `/api/v1/reports/${id}/comparison?from=${from}&to=999999`).expect(404)
  await ask('GET', `/api/v1/reports/999999/comparison?${query}`).expect(404)
})
