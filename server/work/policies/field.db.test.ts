import { expect, test } from 'vitest'
import type { PolicyRun } from '#events/policies/runs.ts'
import { runDue } from './scheduler.ts'
import { testPolicies } from './testing.ts'

const { platform, db, ana, create, shown, runsOf, start, approve, tend, end } = await testPolicies()

const hourMs = 3_600_000
const hoursLater = (hours: number) => new Date(Math.floor(Date.now() / hourMs) * hourMs + hours * hourMs)

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

test('plans that were declined or that no one approved never start a job', async () => {
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

test('files that a search finds after its approval wait for the next run', async () => {
  const id = await create({ cron: null, search: { filters: { search: '/old' } }, untouchedDays: 180 })
  const run = await start(id)
  const { body } = await ana.ask('GET', `/api/v1/policies/runs/${run.id}/files?size=100`).expect(200)
  expect(body.rows.map(({ path }: { path: string }) => path).every((path: string) => path.includes('/old/'))).toBe(true)
  await ana.ask('PUT', `/api/v1/policies/${id}`, { ...(await shown(id)), untouchedDays: 1 }).expect(204)
  await approve(run).expect(409)
})
