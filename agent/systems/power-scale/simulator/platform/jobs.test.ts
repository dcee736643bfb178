import { expect, test } from 'vitest'
import type { PowerScaleOptions } from '../index.ts'
import { changelistJob, cluster, jobs, session, snapshots, takeSnapshot } from '../testing.ts'

/** Two snapshots, between which a file was added. */
async function started(switches: PowerScaleOptions['switches'] = {}) {
  const simulator = await cluster({ switches })
  simulator.tree.ensureDirectory('/ifs/data')
  const call = await session(simulator)
  const older = await takeSnapshot(call, 'older')
  simulator.tree.add('/ifs/data/new')
  const newer = await takeSnapshot(call, 'newer')
  const create = (allowsDuplicates = false) =>
    call('POST', jobs, { ...changelistJob(older, newer), allow_dup: allowsDuplicates })
  const jobOf = async (id: number) => (await call('GET', `${jobs}/${id}`)).body.jobs?.[0]
  return { ...simulator, call, older, newer, create, jobOf, changelist: `${older}_${newer}` }
}

test('a job waits, runs four phases, is paused by its policy, and succeeds', async () => {
  const { create, jobOf, clock, call, changelist } = await started({ jobWait: 10, jobPhase: 60, jobPause: 300 })
  const { id } = (await create()).body
  expect(await jobOf(id)).toMatchObject({ state: 'running', start_time: null, waiting_reason: expect.any(String) })
  const seen = []
  for (let i = 0; i < 10; i++) {
    clock.advance(60)
    const { state, current_phase: phase, total_phases: total } = await jobOf(id)
    seen.push(`${state} ${phase}/${total}`)
  }
  expect(seen.slice(0, 3)).toEqual(['running 1/4', 'running 2/4', 'paused_policy 3/4'])
  expect(seen.slice(6)).toEqual(['paused_policy 3/4', 'running 3/4', 'running 4/4', 'succeeded 4/4'])
  expect((await call('GET', `/platform/1/snapshot/changelists/${changelist}`)).status).toBe(200)
})

test('a changelist that is being built is listed with a suffix, and can not be read', async () => {
  const { create, call, clock, switches, changelist } = await started({ jobPhase: 60 })
  await create()
  const listed = async () =>
    (await call('GET', '/platform/1/snapshot/changelists')).body.changelists.map(({ id }: { id: string }) => id)
  expect(await listed()).toEqual([`${changelist}_inprog`])
  expect((await call('GET', `/platform/8/snapshot/changelists/${changelist}/entries`)).status).toBe(404)
  switches.listsUnfinishedChangelists = false
  expect(await listed()).toEqual([])
  clock.advance(240)
  expect(await listed()).toEqual([changelist])
})

test('a second job is refused, or queued where duplicates are allowed', async () => {
  const { create, jobOf, clock } = await started({ jobPhase: 60 })
  const first = (await create()).body.id
  expect(await create()).toMatchObject({ status: 409, body: { errors: [{ code: 'AEC_CONFLICT' }] } })
  const second = (await create(true)).body.id
  expect(await jobOf(second)).toMatchObject({ waiting_on: first })
  clock.advance(240)
  expect((await jobOf(first)).state).toBe('succeeded')
  expect(await jobOf(second)).toMatchObject({ state: 'running', waiting_on: null })
})

test('a job for a known pair succeeds at once', async () => {
  const { create, jobOf, switches } = await started()
  await jobOf((await create()).body.id)
  switches.jobPhase = 1_000
  expect((await jobOf((await create()).body.id)).state).toBe('succeeded')
})

test('a finished job is listed for a while, or not at all', async () => {
  const { create, jobOf, clock, call, changelist } = await started({ jobPhase: 60, finishedJobLife: 100 })
  const { id } = (await create()).body
  clock.advance(240)
  expect((await jobOf(id)).state).toBe('succeeded')
  clock.advance(100)
  expect((await call('GET', `${jobs}/${id}`)).status).toBe(404)
  expect((await call('GET', `/platform/1/snapshot/changelists/${changelist}`)).status).toBe(200)
  expect((await call('GET', '/platform/3/job/recent')).body.recent).toMatchObject([{ id, state: 'succeeded' }])
})

test.for(['failed', 'failed_not_retried', 'cancelled_system'] as const)(
  'a job that is %s leaves no changelist, and a report',
  async (jobOutcome) => {
    const { create, jobOf, call, changelist } = await started({ jobOutcome })
    const { id } = (await create()).body
    expect((await jobOf(id)).state).toBe(jobOutcome)
    expect((await call('GET', `/platform/1/snapshot/changelists/${changelist}`)).status).toBe(404)
    const { reports } = (await call('GET', '/platform/7/job/reports?job_type=ChangelistCreate')).body
    expect(reports).toMatchObject([{ job_id: id, state: jobOutcome }])
  },
)

test('a user can pause, resume and cancel a job', async () => {
  const { create, jobOf, clock, call } = await started({ jobPhase: 60 })
  const { id } = (await create()).body
  const control = async (state: string) => (await call('PUT', `${jobs}/${id}`, { state })).status
  expect(await control('pause')).toBe(204)
  clock.advance(500)
  expect(await jobOf(id)).toMatchObject({ state: 'paused_user', current_phase: 1 })
  await control('run')
  clock.advance(60)
  expect(await jobOf(id)).toMatchObject({ state: 'running', current_phase: 2 })
  await control('cancel')
  expect((await jobOf(id)).state).toBe('cancelled_user')
  expect(await control('run')).toBe(409)
})

test('a job needs two snapshots of the same path that exist when it ends', async () => {
  const { create, jobOf, call, clock, older, newer } = await started({ jobPhase: 60 })
  const statusOf = async (a: number, b: number) => (await call('POST', jobs, changelistJob(a, b))).status
  expect(await statusOf(newer, older)).toBe(400)
  expect(await statusOf(older, 999)).toBe(400)
  expect(await statusOf(older, await takeSnapshot(call, 'elsewhere', '/ifs'))).toBe(400)
  const { id } = (await create()).body
  await call('DELETE', `${snapshots}/${older}`)
  clock.advance(240)
  expect((await jobOf(id)).state).toBe('failed')
})

test('a disabled job type is reported, and refuses jobs', async () => {
  const { create, call } = await started({ isChangelistJobEnabled: false })
  expect((await call('GET', '/platform/1/job/types')).body.types).toMatchObject([
    { id: 'ChangelistCreate', enabled: false },
  ])
  expect((await create()).status).toBe(400)
})

test('a restart loses the jobs that have not finished', async () => {
  const simulator = await started({ jobPhase: 60 })
  const { id } = (await simulator.create()).body
  await simulator.restart()
  const call = await session(simulator)
  expect((await call('GET', `${jobs}/${id}`)).status).toBe(404)
})
