import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import type { PolicyRun } from '#events/policies/runs.ts'
import { trustClock } from '#server/platform/clock.ts'
import { inTransaction } from '#server/platform/postgres/inTransaction.ts'
import { openPostgres } from '#server/platform/postgres/postgres.ts'
import { testDatabaseUrl } from '#server/platform/testing/stores.ts'
import { testUser } from '#server/testing.ts'
import { tagAnswered } from './owners/tagAnswered.ts'
import { isQuiet } from './quietHours.ts'
import { runDue, runPolicy } from './scheduler.ts'
import { testPolicies } from './testing.ts'

const { platform, db, ana, create, runsOf, start, approve, tend, end } = await testPolicies()

/** Due times are the full hours after the creation of a policy. */
const hourMs = 3_600_000
const nextHour = (hours = 1) => new Date(Math.floor(Date.now() / hourMs) * hourMs + hours * hourMs)
const run = (at: Date) => runDue(platform, at)

beforeEach(async () => {
  await db.deleteFrom('policies').execute()
  await db.deleteFrom('configurations').execute()
  await inTransaction(db, (trx) => trustClock(trx))
})

/** A policy whose first run a person has approved, and which has ended. */
async function trusted(draft: object = {}): Promise<number> {
  const id = await create({ action: { kind: 'quarantine', deleteAfterDays: null }, limits: { share: null }, ...draft })
  const { jobId } = (await approve(await start(id)).expect(200)).body as PolicyRun
  await end(jobId)
  await tend()
  return id
}

test('a policy waits once, and then runs by itself at its times', async () => {
  const id = await create({ limits: { share: null } })
  await run(nextHour())
  const [first] = await runsOf(id)
  expect(first).toMatchObject({ state: 'waiting', startedBy: 'schedule', dueAt: nextHour().toISOString() })
  await run(nextHour(2))
  expect((await runsOf(id))[0]).toMatchObject({ state: 'nothing', reasons: [`Run ${first?.id} waits for approval`] })
  await end(((await approve(first as PolicyRun).expect(200)).body as PolicyRun).jobId)
  await run(nextHour(3))
  expect((await runsOf(id))[0]).toMatchObject({ state: 'started', reasons: [] })
})

test('two servers run a due time once, also if both planned it', async () => {
  const id = await trusted()
  const other = { ...platform, db: openPostgres(await testDatabaseUrl()) }
  await Promise.all([platform, other, platform, other].map((one) => runDue(one, nextHour())))
  expect(await runsOf(id)).toHaveLength(2)
  await end((await runsOf(id))[0]?.jobId ?? null)
  const policy = await db.selectFrom('policies').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const ran = await Promise.all([platform, other].map((one) => runPolicy(one, policy, nextHour(2))))
  expect(ran.toSorted()).toEqual([false, true])
  expect(await runsOf(id)).toHaveLength(3)
  await other.db.destroy()
})

test('a server that dies between the plan and the start leaves the time due and starts nothing', async () => {
  const id = await trusted()
  const jobs = () => db.selectFrom('jobs').select('id').execute()
  const before = await jobs()
  const policy = await db.selectFrom('policies').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  // The transaction has written everything when its commit fails.
  await sql`CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''killed''; END'`.execute(
    db,
  )
  await sql`CREATE CONSTRAINT TRIGGER dying AFTER INSERT ON policy_runs INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION die()`.execute(
    db,
  )
  await expect(runPolicy(platform, policy, nextHour())).rejects.toThrow('killed')
  await sql`DROP FUNCTION die CASCADE`.execute(db)
  expect([(await runsOf(id)).length, await jobs()]).toEqual([1, before])
  expect(await run(nextHour())).toBe(1)
  expect((await runsOf(id))[0]).toMatchObject({ state: 'started' })
  expect(await jobs()).toHaveLength(before.length + 1)
})

test('a policy whose search matches everything by mistake stops at its limit', async () => {
  const wild = await trusted({ limits: { files: 3, share: null } })
  await db
    .updateTable('policies')
    .set({ search: JSON.stringify({ filters: { name: '*' } }), untouchedDays: 1 })
    .where('id', '=', wild)
    .execute()
  await run(nextHour())
  const [stopped] = await runsOf(wild)
  expect(stopped).toMatchObject({ state: 'waiting', files: 5, jobId: null })
  expect(stopped?.reasons).toEqual([
    '8 files within a day, above the limit of 3',
    'More than twice the usual 3 files and 3.0 MiB',
  ])
})

test('each limit is a reason to wait', async () => {
  const id = await trusted({ limits: { files: 2, bytes: 2 * 2 ** 20, share: 1 } })
  await run(nextHour())
  expect((await runsOf(id))[0]?.reasons).toEqual([
    '6 files within a day, above the limit of 2',
    '6.0 MiB within a day, above the limit of 2.0 MiB',
    '5.77 % of Films within a day, above the limit of 1 %',
  ])
})

test('a clock that is wrong acts on nothing', async () => {
  const id = await trusted()
  await inTransaction(db, (trx) => trustClock(trx, new Date(Date.now() - 3 * 24 * hourMs)))
  expect(await run(nextHour())).toBe(0)
  const { body } = await ana.ask('POST', `/api/v1/policies/${id}/runs`).expect(409)
  expect(body.message).toMatch(/^The clock of the server has jumped/)
  await inTransaction(db, (trx) => trustClock(trx))
  expect(await run(nextHour())).toBe(1)
})

test('an old scan, a partial one, an empty search and an author without rights act on nothing, and say why', async () => {
  const reasonOf = async (hour: number) => {
    await run(nextHour(hour))
    const [last] = await runsOf(id)
    expect(last).toMatchObject({ state: 'nothing', jobId: null })
    return last?.reasons
  }
  const id = await trusted()
  await db.updateTable('scans').set({ state: 'partial' }).execute()
  expect(await reasonOf(1)).toEqual(['3 files left out: Its last scan is not complete'])
  await db
    .updateTable('policies')
    .set({ action: JSON.stringify({ kind: 'tag', tag: 'old' }) })
    .execute()
  expect(await reasonOf(2)).toEqual([expect.stringMatching(/^The last scan of Films is partial/)])
  await db
    .updateTable('scans')
    .set({ state: 'done', startedAt: new Date(Date.now() - 49 * hourMs) })
    .execute()
  expect(await reasonOf(3)).toEqual(['The last scan of Films is older than two days. Scan it again.'])
  await db.updateTable('scans').set({ startedAt: new Date() }).execute()
  const set = (search: object) =>
    db
      .updateTable('policies')
      .set({ search: JSON.stringify(search) })
      .execute()
  await set({ filters: { name: 'nothing has this name' } })
  expect(await reasonOf(4)).toEqual(['No file matches'])
  await set({ filters: {} })
  expect(await reasonOf(5)).toEqual(['The search has no condition'])
  await set({ criteria: { searchOperator: 'AND', searchQueries: [{ name: { regex: '(' } }], searchQueryNodes: [] } })
  expect(await reasonOf(6)).toEqual([
    'The search failed: searchQueries.0.name.regex is not a valid regular expression, or is too large',
  ])
  await set({ filters: { extension: ['mov'] } })
  const { id: authorId } = await testUser(db, ['ROLE_PROJECT_MANAGER'])
  await db.updateTable('policies').set({ authorId }).execute()
  expect(await reasonOf(7)).toEqual([expect.stringMatching(/may no longer do what the policy does/)])
})

test('while all policies are paused, none starts, running jobs wait, and they continue afterwards', async () => {
  const id = await trusted()
  await run(nextHour())
  const status = async () => (await runsOf(id)).find(({ jobId }) => jobId !== null)?.jobStatus
  await db.insertInto('configurations').values({ name: 'policiesPaused', value: 'true' }).execute()
  await tend()
  expect(await status()).toBe('WAITING')
  await run(nextHour(2))
  expect((await runsOf(id))[0]).toMatchObject({ state: 'nothing', reasons: ['All policies are paused'] })
  await ana.ask('POST', `/api/v1/policies/${id}/runs`).expect(409)
  await db.deleteFrom('configurations').execute()
  await tend()
  expect(await status()).toBe('AVAILABLE')
})

test('a due time in quiet hours runs after them, and what is approved in them starts then', async () => {
  const now = nextHour()
  const hourOf = (date: Date) => `${String(date.getUTCHours()).padStart(2, '0')}:00`
  const quiet = { days: [0, 1, 2, 3, 4, 5, 6], from: hourOf(nextHour(0)), to: hourOf(nextHour(2)) }
  const id = await create({ quiet, limits: { share: null } })
  expect(await run(now)).toBe(0)
  expect(await run(nextHour(2))).toBe(1)
  const [waiting] = await runsOf(id)
  const approved = (await approve(waiting as PolicyRun).expect(200)).body as PolicyRun
  expect(approved).toMatchObject({
    state: 'waiting',
    missingApprovals: 0,
    reasons: [`Approved, and starts after the quiet hours at ${quiet.to}`],
  })
  await tend(nextHour(2))
  const [started] = await runsOf(id)
  expect(started).toMatchObject({ state: 'started', jobStatus: 'NEW' })
  await tend(now)
  expect((await runsOf(id))[0]?.jobStatus).toBe('WAITING')
  await tend(nextHour(2))
  expect((await runsOf(id))[0]?.jobStatus).toBe('AVAILABLE')
})

test('a run that no one approves expires after two days', async () => {
  const id = await create()
  await start(id)
  await tend(new Date(Date.now() + 47 * hourMs))
  expect((await runsOf(id))[0]?.state).toBe('waiting')
  await inTransaction(db, (trx) => trustClock(trx, new Date(Date.now() + 48 * hourMs)))
  await tend(new Date(Date.now() + 49 * hourMs))
  expect((await runsOf(id))[0]).toMatchObject({ state: 'expired', reasons: ['No one approved it within two days'] })
})

test('administrators hear of a job that failed', async () => {
  const id = await create({ name: 'Failing' })
  const { jobId } = (await approve(await start(id)).expect(200)).body as PolicyRun
  await end(jobId, 'The agent is gone')
  await tend()
  await tend()
  const mails = db.selectFrom('deliveries').select('subject').where('subject', '=', 'Policy failed: Failing')
  expect(await mails.execute()).toHaveLength(2)
})

test('tags are given to the approved list', async () => {
  const id = await create({ action: { kind: 'tag', tag: 'old' } })
  const { jobId } = (await approve(await start(id)).expect(200)).body as PolicyRun
  const job = await db.selectFrom('jobs').select(['type', 'payload']).where('id', '=', jobId).executeTakeFirst()
  expect(job).toMatchObject({ type: 'TAG_SEARCH_RESULT', payload: { tags: ['old'], ofSelection: expect.any(Number) } })
})

test.each([
  ['Friday within', '2026-05-01T09:00:00', { days: [5], from: '08:00', to: '18:00' }, true],
  ['the end is outside', '2026-05-01T18:00:00', { days: [5], from: '08:00', to: '18:00' }, false],
  ['another day', '2026-05-02T09:00:00', { days: [5], from: '08:00', to: '18:00' }, false],
  ['after midnight, of the day before', '2026-05-02T01:00:00', { days: [5], from: '22:00', to: '06:00' }, true],
  [
    'after midnight, not of a day that is not listed',
    '2026-05-01T01:00:00',
    { days: [5], from: '22:00', to: '06:00' },
    false,
  ],
  ['all day', '2026-05-01T00:00:00', { days: [5], from: '00:00', to: '00:00' }, true],
])('quiet hours: %s', (_, at, quiet, expected) => {
  expect(isQuiet(quiet, new Date(at))).toBe(expected)
})

test('quiet hours follow the clock on the wall when it changes', () => {
  process.env['TZ'] = 'America/Denver'
  const quiet = { days: [0], from: '01:30', to: '02:30' }
  const at = (time: string) => isQuiet(quiet, new Date(time))
  // The clock skips from 02:00 to 03:00 on 8 March, and repeats 01:00 to 02:00 on 1 November.
  expect([at('2026-03-08T08:45:00Z'), at('2026-03-08T09:00:00Z')]).toEqual([true, false])
  expect(['07:45', '08:45', '09:15', '09:45'].map((time) => at(`2026-11-01T${time}:00Z`))).toEqual([
    true,
    true,
    true,
    false,
  ])
  process.env['TZ'] = 'UTC'
})

test('a run that asks owners ends with its links, and released files are left out of the next one', async () => {
  await db.insertInto('configurations').values({ name: 'app.url', value: 'https://di.example.com/' }).execute()
  const id = await create({ action: { kind: 'ask', days: 14, domain: null }, limits: { share: null } })
  const { id: asked } = (await approve(await start(id)).expect(200)).body as PolicyRun
  const settledAt = async () => {
    await tend()
    const run = db.selectFrom('policyRuns').select('settledAt').where('id', '=', asked)
    return (await run.executeTakeFirstOrThrow()).settledAt
  }
  const at = new Date(Date.now() - 15 * 24 * hourMs)
  await db.updateTable('policyRuns').set({ at }).where('id', '=', asked).execute()
  expect(await settledAt()).toBeNull()
  await db.updateTable('policyOwnerLinks').set({ expiresAt: at, answerToAll: 'release' }).execute()
  expect(await settledAt()).not.toBeNull()
  await tagAnswered(platform)
  expect(await start(id)).toMatchObject({
    state: 'nothing',
    files: 0,
    leftOut: [{ files: 3, reason: 'Released by its owner' }],
  })
})
