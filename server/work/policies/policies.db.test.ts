import { expect, test } from 'vitest'
import type { PolicyRun } from '#events/policies/runs.ts'
import { trustClock } from '#server/platform/clock.ts'
import { readStream } from '#server/platform/log/eventLog.ts'
import { inTransaction } from '#server/platform/postgres/inTransaction.ts'
import { asUser, testSession } from '#server/testing.ts'
import { testPolicies } from './testing.ts'

const { db, ana, ben, app, create, runsOf, shown, start, approve, tend, end, films } = await testPolicies()
const mib = 2 ** 20
const day = 86_400_000
const later = (days: number) => new Date(Date.now() + days * day)

test('the first run is a plan that a person approves by its hash; then its job starts, once', async () => {
  const id = await create()
  const run = await start(id)
  expect(run).toMatchObject({
    policyId: id,
    kind: 'act',
    state: 'waiting',
    reasons: ['First run of the policy'],
    files: 3,
    bytes: 3 * mib,
    leftOut: [],
    dueAt: null,
    startedBy: ana.name,
    missingApprovals: 1,
    jobId: null,
  })
  expect(run.storages).toMatchObject([{ name: 'Films', files: 3, bytes: 3 * mib }])
  const listed = await ana.ask('GET', `/api/v1/policies/runs/${run.id}/files`).expect(200)
  expect(listed.body.rows.map(({ path }: { path: string }) => path)).toEqual(
    ['a', 'b', 'c'].map((name) => `/mnt/films/old/${name}.mov`),
  )
  expect(await shown(id)).toMatchObject({ waiting: 1, lastRun: { at: run.at, state: 'waiting', jobStatus: null } })
  expect((await ana.ask('POST', `/api/v1/policies/${id}/runs`).expect(409)).body.code).toBe('open')
  expect((await approve({ ...run, hash: run.hash.replace(/^./, 'x') }).expect(409)).body.code).toBe('hash')
  const answers = await Promise.all([approve(run), approve(run, ben)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  const [started] = await runsOf(id)
  expect(started).toMatchObject({ state: 'started', reasons: [], missingApprovals: 0, jobStatus: 'NEW' })
  expect(
    await db
      .selectFrom('jobs')
      .select('type')
      .where('id', '=', started?.jobId ?? 0)
      .execute(),
  ).toEqual([{ type: 'QUARANTINE_SEARCH_RESULT' }])
})

/** The project Vega with the old files, which cost $12 per GB and year. */
async function givePrices(): Promise<void> {
  const project = db.insertInto('projects').values({ name: 'Vega', description: '', allocatedSize: 1 }).returning('id')
  const { id: projectId } = await project.executeTakeFirstOrThrow()
  await db
    .insertInto('projectFolders')
    .values({ projectId, volumeId: films, path: '/old', fromScan: 0, isNested: false })
    .execute()
  const book = db.insertInto('storagePrices').values({ description: 'Disk' }).returning('id')
  const { id: storagePriceId } = await book.executeTakeFirstOrThrow()
  const since = '2026-01-01'
  await db.insertInto('volumePriceChanges').values({ volumeId: films, since, storagePriceId }).execute()
  const price = { storagePriceId, since, currencySymbol: '$', price: 12, classPrices: '[]' }
  await db.insertInto('storagePriceChanges').values(price).execute()
}

test('files are put back from quarantine, and what is left is deleted once a person approved the first deletion', async () => {
  await givePrices()
  const id = await create()
  const run = await start(id)
  const { jobId } = (await approve(run).expect(200)).body as PolicyRun
  expect((await ana.ask('DELETE', `/api/v1/policies/${id}`).expect(409)).body.message).toContain('has not ended')
  await end(jobId)
  const all = { files: 3, bytes: 3 * mib }
  const deleteOn = later(30).toISOString().slice(0, 10)
  // The day is known as soon as the job has ended.
  for (const settle of [async () => {}, tend]) {
    await settle()
    expect((await runsOf(id))[0]?.quarantine).toEqual({ ...all, deleteOn })
    const { body: held } = await ana.ask('GET', '/api/v1/policies/quarantine').expect(200)
    expect(held).toEqual([{ volumeId: films, ...all, comesFree: [{ day: deleteOn, ...all }] }])
  }
  expect(await shown(id)).toMatchObject({ lastRun: { state: 'started', jobStatus: 'SUCCESS' }, quarantine: all })
  expect((await ana.ask('DELETE', `/api/v1/policies/${id}`).expect(409)).body.message).toContain('files in quarantine')

  const undo = (paths: string[]) => ana.ask('POST', `/api/v1/policies/runs/${run.id}/undo`, { paths })
  await undo(['/mnt/films/none.mov']).expect(409)
  const undone = (await undo(['/mnt/films/old/a.mov']).expect(200)).body as { jobId: number }
  expect((await undo([]).expect(409)).body.message).toContain(`Job ${undone.jobId}`)
  await end(undone.jobId)
  await tend()
  expect((await runsOf(id))[0]).toMatchObject({ quarantine: { files: 2 }, undoJobs: [undone.jobId] })

  await tend(later(29))
  expect(await runsOf(id)).toHaveLength(1)
  await inTransaction(db, (trx) => trustClock(trx, later(31)))
  await tend(later(31))
  const [deletion] = await runsOf(id)
  expect(deletion).toMatchObject({
    kind: 'delete',
    state: 'waiting',
    reasons: ['First deletion of the policy', 'Files of this run were put back from quarantine'],
    files: 2,
  })
  await ana.ask('PUT', `/api/v1/policies/runs/${deletion?.id}/decline`).expect(200)
  await tend(later(32))
  expect(await runsOf(id)).toHaveLength(2)
  await inTransaction(db, (trx) => trustClock(trx, later(38)))
  await tend(later(38.1))
  const [again] = await runsOf(id)
  expect(again).toMatchObject({ kind: 'delete', state: 'waiting' })
  await inTransaction(db, (trx) => trustClock(trx))
  const approved = (await approve(again as PolicyRun).expect(200)).body as PolicyRun
  await end(approved.jobId)
  await tend()
  const { body: savings } = await ana.ask('GET', '/api/v1/policies/savings').expect(200)
  expect(savings).toEqual([
    {
      month: new Date().toISOString().slice(0, 7),
      policyId: id,
      project: { id: expect.any(Number), name: 'Vega' },
      files: 2,
      bytes: 2 * mib,
      money: [{ currencySymbol: '$', perYear: expect.closeTo((2 / 1024) * 12, 9) }],
    },
  ])
  expect((await runsOf(id)).map(({ quarantine }) => quarantine)).toEqual([null, null, null])
  await ana.ask('DELETE', `/api/v1/policies/${id}`).expect(204)
  expect((await ana.ask('GET', '/api/v1/policies/savings').expect(200)).body).toEqual(savings)
})

test('a policy that changes what it takes or does needs approval again, and its waiting runs are declined', async () => {
  const id = await create({ name: 'Twice' })
  const run = await start(id)
  const { id: _, createdBy: __, nextRuns: ___, waiting: ____, ...draft } = await shown(id)
  await ana.ask('PUT', `/api/v1/policies/${id}`, { ...draft, name: 'Renamed' }).expect(204)
  expect((await runsOf(id))[0]?.state).toBe('waiting')
  await ben.ask('PUT', `/api/v1/policies/${id}`, { ...draft, untouchedDays: 90 }).expect(204)
  expect((await runsOf(id))[0]).toMatchObject({ state: 'declined', reasons: ['The policy was changed'] })
  expect((await approve(run).expect(409)).body.code).toBe('state')
})

test('drafts are checked', async () => {
  const search = (filters: object) => ({ search: { filters } })
  const refused = async (draft: object) =>
    (
      await ana
        .ask('POST', '/api/v1/policies', {
          name: 'Checked',
          search: { filters: { extension: ['mov'] } },
          action: { kind: 'nothing' },
          ...draft,
        })
        .expect(400)
    ).body.subErrors[0]
  await create({ name: 'Taken' })
  expect(await refused({ name: 'TAKEN' })).toMatchObject({ field: 'name' })
  expect(await refused({ ...search({}), action: { kind: 'tag', tag: 'old' } })).toMatchObject({ field: 'search' })
  expect(await refused({ cron: '0 0/30 * * * ?' })).toEqual({ field: 'cron', message: 'must run at most once an hour' })
  expect(await refused({ search: { criteria: { searchQueries: [{ name: { regex: '(' } }] } } })).toMatchObject({
    field: 'search.criteria.searchQueries.0.name.regex',
  })
  const all = { ...search({ onlyDuplicates: true }), action: { kind: 'quarantine', deleteAfterDays: null } }
  expect(await refused(all)).toMatchObject({ message: expect.stringContaining('also the last one') })
  expect(await refused({ action: { kind: 'tag', tag: 'Kept by owner' } })).toMatchObject({ field: 'action.tag' })
  const options = {
    planId: '1',
    clientId: 'localhost',
    serverId: 77,
    credentialsId: 1,
    meta: [],
    indexroot: '',
    deltaScanAfter: false,
  }
  const archive = { action: { kind: 'archive', options } }
  expect(await refused(archive)).toMatchObject({ field: 'action.options.serverId' })
  await create({ ...search({}), action: { kind: 'nothing' } })
  const other = asUser(app, await testSession(db, ['ROLE_PROJECT_MANAGER']))
  await other('GET', '/api/v1/policies').expect(403)
})

test('two administrators approve, and neither counts twice', async () => {
  const id = await create({ needsSecondPerson: true })
  const run = await start(id)
  expect(run).toMatchObject({
    missingApprovals: 2,
    reasons: ['First run of the policy', 'Each run needs two administrators'],
  })
  expect((await approve(run).expect(200)).body).toMatchObject({ state: 'waiting', missingApprovals: 1 })
  expect((await approve(run).expect(409)).body.code).toBe('same-person')
  const { body } = await approve(run, ben).expect(200)
  expect(body).toMatchObject({ state: 'started', approvals: [{ by: ana.name }, { by: ben.name }] })
})

test('a declined run ends, and mails say which runs wait', async () => {
  const id = await create({ name: 'Mailed' })
  const run = await start(id)
  const { body } = await ben.ask('PUT', `/api/v1/policies/runs/${run.id}/decline`).expect(200)
  expect(body).toMatchObject({ state: 'declined', reasons: [`Declined by ${ben.name}`] })
  await ben.ask('PUT', `/api/v1/policies/runs/${run.id}/decline`).expect(409)
  const mails = await db
    .selectFrom('deliveries')
    .select(['userId', 'body'])
    .where('subject', 'like', '%: Mailed')
    .execute()
  expect(mails.map(({ userId }) => userId).sort()).toEqual([ana.id, ben.id].sort())
  expect(mails[0]?.body).toBe(
    // Without the file that a person put back.
    'A run of the policy Mailed waits for approval: 2 files, 2.0 MiB.\n\n- First run of the policy\n',
  )
  await db.insertInto('configurations').values({ name: 'app.url', value: 'https://di.example.com' }).execute()
  await start(id)
  await db.deleteFrom('configurations').where('name', '=', 'app.url').execute()
  const { body: linked } = await db
    .selectFrom('deliveries')
    .select('body')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  expect(linked).toContain(`\n\nhttps://di.example.com/policy/${id}\n`)
})

test('the stream of a policy has every state: its newest events are the policy and its runs', async () => {
  const id = await create({ needsSecondPerson: true })
  const run = await start(id)
  await approve(run)
  await approve(run, ben)
  const second = db.selectFrom('policyRuns').selectAll().where('policyId', '=', id)
  const {
    inQuarantine: _,
    isHeld: __,
    settledAt: ___,
    countedAt: ____,
    ...row
  } = await second.executeTakeFirstOrThrow()
  const events = await readStream<{ type: string; run?: unknown; after?: unknown }>(db, `policy-${id}`)
  expect(events.map(({ event: { type } }) => type)).toEqual([
    'Created',
    'PolicyRunWaiting',
    'PolicyRunApproved',
    'PolicyRunApproved',
    'PolicyRunStarted',
  ])
  expect(events.at(-1)?.event.run).toEqual(JSON.parse(JSON.stringify(row)))
  expect(await shown(id)).toMatchObject(events[0]?.event.after as object)
})
