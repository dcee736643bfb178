import { sql as postgres } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import type { PolicyRun } from '#events/policies/runs.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { trustClock } from '#server/platform/clock.ts'
import { inTransaction } from '#server/platform/postgres/inTransaction.ts'
import { distrustPolicies } from './saveRun.ts'
import { runDue } from './scheduler.ts'
import { testPolicies } from './testing.ts'

const { platform, db, films, ana, ben, create, shown, runsOf, start, approve, tend, end } = await testPolicies()

const hourMs = 3_600_000
const hoursLater = (hours: number) => new Date(Math.floor(Date.now() / hourMs) * hourMs + hours * hourMs)
const later = (days: number) => new Date(Date.now() + days * 24 * hourMs)
const trust = (now?: Date) => inTransaction(db, (trx) => trustClock(trx, now))
afterEach(async () => {
  await platform.clickhouse.change(sql`TRUNCATE TABLE entry_tags`)
  // No policy takes files again that were put back.
  await postgres`DELETE FROM selections WHERE plan -> 'request' ->> 'jobType' = 'PUT_BACK_FILES'`.execute(db)
  await trust()
})

/** Its owner keeps a file from now on. */
const keep = (name: string) =>
  platform.clickhouse.change(sql`
    INSERT INTO entry_tags (tag, volume, parent_path, name, is_directory, from_date, to_date, version)
    VALUES ('Kept by owner', ${films}, '/old/', ${name}, false, '2020-01-01', '2149-06-06', 1)`)

/** A run of a new policy that moved its three files to quarantine. */
async function moved(): Promise<PolicyRun> {
  const id = await create({ cron: null })
  const { body } = await approve(await start(id)).expect(200)
  await end(body.jobId)
  await tend()
  return body
}
const undo = ({ id }: PolicyRun, paths: string[] = []) => ana.ask('POST', `/api/v1/policies/runs/${id}/undo`, { paths })
/** The newest run of a policy, after a moment that the clock reached in small steps. */
async function newestAt({ policyId }: PolicyRun, days: number): Promise<PolicyRun> {
  await trust(later(days))
  await tend(later(days))
  await trust()
  return (await runsOf(policyId))[0] as PolicyRun
}

test('a policy whose limits or approvals were changed waits once before it runs by itself again', async () => {
  const id = await create({ limits: { share: null } })
  const approved = async (run: PolicyRun) => {
    await end(((await approve(run).expect(200)).body as PolicyRun).jobId)
    await tend()
  }
  await approved(await start(id))
  for (const [hours, limits] of [null, 20].map((files, i) => [i * 2 + 1, { share: null, files }] as const)) {
    await ana.ask('PUT', `/api/v1/policies/${id}`, { ...(await shown(id)), limits }).expect(204)
    await runDue(platform, hoursLater(hours))
    const [waiting] = await runsOf(id)
    expect(waiting).toMatchObject({ state: 'waiting', reasons: ['First run since the policy was changed'] })
    await approved(waiting as PolicyRun)
    await runDue(platform, hoursLater(hours + 1))
    const [next] = await runsOf(id)
    expect(next).toMatchObject({ state: 'started' })
    await end(next?.jobId ?? null)
    await tend()
  }
})

test('a policy without its quiet hours waits once, and one that needs a second person needs two administrators', async () => {
  const quiet = { days: [0], from: '01:00', to: '01:01' }
  const id = await create({ quiet })
  await db.updateTable('policies').set({ trusted: true }).where('id', '=', id).execute()
  const save = async (draft: object) => ana.ask('PUT', `/api/v1/policies/${id}`, { ...(await shown(id)), ...draft })
  await save({ quiet: null }).then(({ status }) => expect(status).toBe(204))
  const run = await start(id)
  expect(run.reasons).toEqual(['First run of the policy'])
  const disable = (disabledAt: Date | null) =>
    db.updateTable('users').set({ disabledAt }).where('id', '=', ben.id).execute()
  await disable(new Date())
  expect((await save({ needsSecondPerson: true })).body.subErrors[0].field).toBe('needsSecondPerson')
  await disable(null)
  expect((await save({ needsSecondPerson: true })).status).toBe(204)
  expect((await runsOf(id))[0]).toMatchObject({ state: 'declined', reasons: ['The policy was changed'] })
  const next = await start(id)
  await db.updateTable('policies').set({ authorId: 0 }).where('id', '=', id).execute()
  expect((await approve(next).expect(409)).body).toMatchObject({ code: 'author' })
})

test('the share of a storage adds up over the day from the start, and files stay for the days they were moved with', async () => {
  const id = await create({ limits: { files: null, bytes: null, share: 5, twiceUsual: false } })
  const run = await start(id)
  await db
    .updateTable('policyRuns')
    .set({ at: new Date(Date.now() - 30 * hourMs) })
    .where('id', '=', run.id)
    .execute()
  await end(((await approve(run).expect(200)).body as PolicyRun).jobId)
  await tend()
  await runDue(platform, hoursLater(1))
  expect((await runsOf(id))[0]?.reasons).toEqual(['5.77 % of Films within a day, above the limit of 5 %'])
  const deleteOn = later(30).toISOString().slice(0, 10)
  for (const action of [{ kind: 'quarantine', deleteAfterDays: 1 }, { kind: 'nothing' }]) {
    await ana.ask('PUT', `/api/v1/policies/${id}`, { ...(await shown(id)), action }).expect(204)
    expect((await runsOf(id)).at(-1)?.quarantine?.deleteOn).toBe(deleteOn)
  }
})

test('plans that were declined or not approved in time never start a job', async () => {
  const id = await create({ cron: null })
  const jobs = () => db.selectFrom('jobs').select('id').execute()
  const before = await jobs()
  const declined = await start(id)
  await ana.ask('PUT', `/api/v1/policies/runs/${declined.id}/decline`).expect(200)
  await approve(declined).expect(409)
  const old = await start(id)
  await db
    .updateTable('policyRuns')
    .set({ at: new Date(Date.now() - 49 * hourMs) })
    .where('id', '=', old.id)
    .execute()
  await tend()
  await approve(old).expect(409)
  expect((await runsOf(id)).map(({ state }) => state).toSorted()).toEqual(['declined', 'expired'])
  expect(await jobs()).toEqual(before)
})

test('files that a search would take after its approval wait for the next run', async () => {
  const id = await create({ cron: null, search: { filters: { search: '/old' } }, untouchedDays: 180 })
  const run = await start(id)
  const { body } = await ana.ask('GET', `/api/v1/policies/runs/${run.id}/files?size=100`).expect(200)
  expect(body.rows.map(({ path }: { path: string }) => path).every((path: string) => path.includes('/old/'))).toBe(true)
  await ana.ask('PUT', `/api/v1/policies/${id}`, { ...(await shown(id)), untouchedDays: 1 }).expect(204)
  await approve(run).expect(409)
})

test('no deletion starts while files are put back, or after a person declined one, and a wrong clock makes none due', async () => {
  const id = await create()
  const run = await start(id)
  const { jobId } = (await approve(run).expect(200)).body as PolicyRun
  await end(jobId, undefined, new Date('2020-01-01T00:00:00Z'))
  await inTransaction(db, (trx) => trustClock(trx, new Date('2020-01-01T00:00:00Z')))
  await tend()
  const settledAt = () => db.selectFrom('policyRuns').select('settledAt').where('id', '=', run.id).executeTakeFirst()
  expect(await settledAt()).toEqual({ settledAt: null })
  await inTransaction(db, (trx) => trustClock(trx))
  await tend()
  expect((await settledAt())?.settledAt?.getTime()).toBeGreaterThan(Date.now() - 60_000)

  await db.updateTable('policies').set({ trustsDeletion: true }).where('id', '=', id).execute()
  const undo = await ana.ask('POST', `/api/v1/policies/runs/${run.id}/undo`, { paths: ['/mnt/films/old/a.mov'] })
  await inTransaction(db, (trx) => trustClock(trx, later(31)))
  await tend(later(31))
  expect(await runsOf(id)).toHaveLength(1)
  await end(undo.body.jobId)
  await tend(later(31))
  const [waiting] = await runsOf(id)
  const reasons = ['Files of this run were put back from quarantine']
  expect(waiting).toMatchObject({ kind: 'delete', state: 'waiting', files: 2, reasons })
  await ana.ask('PUT', `/api/v1/policies/runs/${waiting?.id}/decline`).expect(200)
  await inTransaction(db, (trx) => trustClock(trx, later(38.1)))
  await tend(later(38.1))
  const [again] = await runsOf(id)
  expect(again).toMatchObject({ kind: 'delete', state: 'waiting' })
  expect(again?.reasons).toEqual(['An earlier deletion of these files was declined', ...reasons])
  await ana.ask('PUT', `/api/v1/policies/runs/${again?.id}/decline`).expect(200)
  await inTransaction(db, (trx) => trustClock(trx))
})

test('a list with files that owners keep since is not acted on', async () => {
  const id = await create()
  const run = await start(id)
  await ana.ask('PUT', `/api/v1/policies/runs/${run.id}/decline`).expect(200)
  const again = await start(id)
  const listed = await db
    .selectFrom('policyRuns')
    .select('selectionId')
    .where('id', '=', again.id)
    .executeTakeFirstOrThrow()
  await db
    .insertInto('policyOwnerLinks')
    .values({
      runId: run.id,
      policyId: id,
      policy: '',
      owner: 'ana',
      address: null,
      tokenHash: null,
      selectionId: listed.selectionId ?? 0,
      firstPosition: 2,
      files: 2,
      bytes: 0,
      expiresAt: later(1),
      answerToAll: 'keep',
    })
    .execute()
  expect((await approve(again).expect(409)).body.message).toContain('owners of 2 files')
  await db.deleteFrom('policyOwnerLinks').execute()
  await approve(again).expect(200)
})

test('after a restore no policy acts without a person', async () => {
  const id = await create()
  const run = await start(id)
  const past = new Date('2026-01-01')
  const trust = { trusted: true, trustsDeletion: true, nextDueAt: past, dueAfter: past }
  await db.updateTable('policies').set(trust).where('id', '=', id).execute()
  await inTransaction(db, (trx) => distrustPolicies(trx, 'The product was restored', new Date()))
  const row = await db.selectFrom('policies').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect(row).toMatchObject({ trusted: false, trustsDeletion: false })
  expect(row.nextDueAt?.getTime()).toBeGreaterThan(Date.now())
  expect((await runsOf(id))[0]).toMatchObject({ id: run.id, state: 'expired', reasons: ['The product was restored'] })
})

test('files that their owners keep since the plan are not moved, and those that were moved are not deleted', async () => {
  const id = await create({ cron: null })
  const run = await start(id)
  await keep('a.mov')
  const { body } = await approve(run).expect(409)
  expect(body).toMatchObject({ code: 'kept', message: expect.stringMatching(/^The owners of 1 file in the list keep/) })
  await ana.ask('PUT', `/api/v1/policies/runs/${run.id}/decline`).expect(200)
  const next = await start(id)
  const leftOut = [{ files: 1, reason: 'Kept by its owner' }]
  expect(next).toMatchObject({ files: 2, leftOut })
  await end((await approve(next).expect(200)).body.jobId)
  await tend()
  await keep('b.mov')
  const deletion = await newestAt(run, 31)
  expect(deletion).toMatchObject({ kind: 'delete', state: 'waiting', files: 1, leftOut })
  await keep('c.mov')
  expect((await approve(deletion).expect(409)).body.code).toBe('kept')
  await ana.ask('PUT', `/api/v1/policies/runs/${deletion.id}/decline`).expect(200)
  const reasons = ['2 files left out: Kept by its owner']
  expect(await newestAt(run, 39)).toMatchObject({ kind: 'delete', state: 'nothing', jobId: null, reasons })
})

test('files that are being put back are not deleted, and of an undo and a deletion at once only one starts', async () => {
  const run = await moved()
  const { jobId } = (await undo(run, ['/mnt/films/old/a.mov']).expect(200)).body
  expect(await newestAt(run, 31)).toMatchObject({ kind: 'act' })
  await end(jobId)
  await tend()
  const deletion = await newestAt(run, 31)
  expect(deletion).toMatchObject({ kind: 'delete', state: 'waiting', files: 2 })
  const both = await Promise.all([undo(run), approve(deletion)])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
})

test('files that a deletion could not reach stay in quarantine, save nothing and are tried again', async () => {
  const run = await moved()
  const deletion = await newestAt(run, 31)
  const { jobId } = (await approve(deletion).expect(200)).body
  await end(jobId, 'The agent is gone')
  await tend()
  const saved = await ana.ask('GET', '/api/v1/policies/savings').expect(200)
  expect(saved.body.filter(({ policyId }: { policyId: number }) => policyId === run.policyId)).toEqual([])
  expect((await runsOf(run.policyId)).at(-1)?.quarantine).toMatchObject({ files: 3 })
  expect(await newestAt(run, 39)).toMatchObject({ kind: 'delete', files: 3 })
})

test('a clock that jumps by a year makes no deletion due', async () => {
  const run = await moved()
  for (const days of [31, 365, -365]) await tend(later(days))
  expect(await runsOf(run.policyId)).toHaveLength(1)
})

test('files that two policies take are in quarantine once', async () => {
  const quarantined = async () => {
    const { body } = await ana.ask('GET', '/api/v1/policies/quarantine').expect(200)
    return body[0]?.files ?? 0
  }
  const before = await quarantined()
  const both = [await start(await create({ cron: null })), await start(await create({ cron: null }))]
  const jobs = await Promise.all(both.map(async (run) => (await approve(run).expect(200)).body.jobId))
  await end(jobs[0])
  await end(jobs[1], 'The files no longer exist')
  await tend()
  expect((await quarantined()) - before).toBe(3)
  const shownRuns = await Promise.all(both.map(async ({ policyId }) => (await runsOf(policyId))[0]))
  expect(shownRuns.map((run) => run?.quarantine?.files)).toEqual([3, 0])
})

test.each([
  ['an hour ahead at most', 0.5, {}, { state: 'waiting', files: 3 }],
  ['two hours ahead', 2, {}, { state: 'nothing', reasons: [expect.stringMatching(/later than now/)] }],
  ['three days ahead', 72, {}, { state: 'nothing', files: 0 }],
  ['of a part', 0, { scannedPath: '/old' }, { state: 'nothing', files: 0 }],
  ['of unreadable folders', 0, { state: 'partial' as const }, { state: 'nothing', files: 0 }],
])('a scan that is %s decides what a run acts on', async (_, hours, facts, expected) => {
  const startedAt = new Date(Date.now() + hours * hourMs)
  const of = (facts: object) => db.updateTable('scans').set(facts).where('volumeId', '=', films).execute()
  await of({ startedAt, ...facts })
  const run = await start(await create({ cron: null }))
  await of({ startedAt: new Date(), scannedPath: '', state: 'done' })
  expect(run).toMatchObject({ ...expected, jobId: null })
})
