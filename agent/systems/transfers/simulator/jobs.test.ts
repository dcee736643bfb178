import { expect, test } from 'vitest'
import { createJob, jobOf, jobRequest, runJob, session, withFiles } from './testing.ts'

const statesOf = async (
  { transfers, ask }: Awaited<ReturnType<typeof withFiles>>,
  times: number[],
): Promise<string[]> => {
  const states = []
  for (const ms of times) {
    transfers.clock.advance(ms)
    const { state, phase, filesTotal, filesDone } = await jobOf(ask)
    states.push(`${state} ${phase} ${filesDone}/${filesTotal}`)
  }
  return states
}

test('a job goes through its phases, and its totals grow while it scans', async () => {
  const simulated = await withFiles()
  expect(await createJob(simulated.ask, { paths: ['/a', '/b'] })).toMatchObject({
    status: 201,
    body: { data: { id: 'j-1' } },
  })
  expect(await statesOf(simulated, [0, 1_000, 500, 500, 1_000, 101, 101])).toEqual([
    'QUEUED null 0/0',
    'RUNNING scanning 0/0',
    'RUNNING scanning 0/1',
    'RUNNING analysis 0/2',
    'RUNNING transfer 0/2',
    'RUNNING transfer 1/2',
    'SUCCEEDED transfer 2/2',
  ])
  const { transfers, ask } = simulated
  expect(await jobOf(ask)).toMatchObject({ name: 'Nightly copy', bytesTotal: 4, bytesDone: 4, filesFailed: 0 })
  expect(transfers.file('st-2', '/incoming/a')).toEqual(transfers.file('st-1', '/a'))
  expect(transfers.paths('st-2')).toEqual(['/incoming/a', '/incoming/b'])
  expect(transfers.processed('st-1', '/a')).toEqual({ read: 1, written: 0, deleted: 0 })
  expect(transfers.processed('st-2', '/incoming/a')).toEqual({ read: 0, written: 1, deleted: 0 })
})

test.for([500, 1_200, 2_100, 3_550])('a job is cancelled after %i ms', async (ms) => {
  const { transfers, ask } = await withFiles()
  await createJob(ask, { paths: ['/a', '/b', '/c'] })
  transfers.clock.advance(ms)
  expect((await ask('POST jobs/j-1/cancel')).status).toBe(202)
  const copied = transfers.paths('st-2').length
  transfers.clock.advance(500)
  expect((await jobOf(ask)).state).toBe('CANCELLED')
  transfers.clock.advance(3_600_000)
  expect(transfers.paths('st-2')).toHaveLength(copied)
  expect((await ask('POST jobs/j-1/cancel')).status).toBe(409)
})

test('a repeated key returns the same job, unless the service ignores keys', async () => {
  const { transfers, ask } = await withFiles()
  const create = async (changes: object = {}) => {
    const { status, body } = await createJob(ask, { key: 'k', paths: ['/a'], ...changes })
    return body.data?.id ?? status
  }
  expect([await create(), await create(), await create({ name: 'other' })]).toEqual(['j-1', 'j-1', 409])
  transfers.readings.honorsIdempotencyKey = false
  expect(await create()).toBe('j-2')
  expect((await ask('POST jobs', { body: jobRequest({ paths: ['/a'] }) })).status).toBe(400)
})

test('a reference finds a job whose answer was lost', async () => {
  const { transfers, ask } = await withFiles()
  transfers.faults.loseAnswer('POST jobs')
  await expect(createJob(ask, { paths: ['/a'], reference: 'di-4711' })).rejects.toThrow('socket hang up')
  await createJob(ask, { paths: ['/a'], reference: 'di-4712' })
  const found = async () => {
    const { status, body } = await ask('GET jobs?filter[reference]=di-4711')
    return body.data?.map(({ id }: { id: string }) => id) ?? status
  }
  expect(await found()).toEqual(['j-1'])
  transfers.readings.referenceFilter = 'ignored'
  expect(await found()).toEqual(['j-1', 'j-2'])
  transfers.readings.referenceFilter = 'refused'
  expect(await found()).toBe(400)
})

test('jobs that make no sense are refused', async () => {
  const { transfers, ask } = await withFiles()
  transfers.readings.maxSources = 2
  const detail = async (changes: object) => (await createJob(ask, { paths: ['/a'], ...changes })).body.errors[0].detail
  const [one] = jobRequest({ paths: ['/a'] }).sources
  expect(await detail({ sources: [] })).toBe('sources')
  expect(await detail({ transferType: 'SYNC' })).toBe('transferType')
  expect(await detail({ speed: 1 })).toBe('body')
  expect(await detail({ paths: ['/a', '/b', '/c'] })).toBe('Too many sources')
  expect(await detail({ sources: [one, { ...one, storageId: 'st-2' }] })).toBe('Sources of several storages')
  expect(await detail({ sources: [{ ...one, storageId: 'st-9' }] })).toBe('Unknown storage st-9')
  expect(await detail({ to: '/a/../b' })).toBe('Invalid path /a/../b')
  const target = { storageId: 'st-1', name: 'x', path: '/x/y', isDirectory: true }
  expect(await detail({ paths: [], folders: ['/x'], target })).toBe('The target is inside a source')
  expect(await detail({ target: { ...target, isDirectory: false } })).toBe('The target is not a folder')
  const text = await ask('POST jobs', { headers: { 'idempotency-key': 'k', 'content-type': 'text/plain' }, body: '{' })
  expect(text.status).toBe(415)
  expect((await ask('POST jobs', { headers: { 'idempotency-key': 'k' }, body: '{' })).status).toBe(400)
  expect((await ask('GET jobs/j-9')).status).toBe(404)
  expect((await ask('GET graphql')).status).toBe(404)
  expect(transfers.jobs.all()).toEqual([])
})

test('a job waits for the agent of a storage', async () => {
  const { transfers, ask } = await withFiles()
  transfers.storages.get('st-2')!.isOnline = false
  expect(await runJob(transfers, ask, { paths: ['/a'] })).toMatchObject({
    state: 'QUEUED',
    message: 'The agent of Storage st-2 is offline',
  })
  transfers.storages.get('st-2')!.isOnline = true
  transfers.clock.advance(60_000)
  expect((await jobOf(ask)).state).toBe('SUCCEEDED')
})

test('states have other words, and a finished job is forgotten', async () => {
  const { transfers, ask } = await withFiles()
  transfers.readings.stateWords = { SUCCEEDED: 'Success' }
  transfers.scriptNextJob({ stateWord: 'VERIFYING' })
  await createJob(ask, { paths: ['/a'] })
  transfers.clock.advance(1_000)
  expect((await jobOf(ask)).state).toBe('VERIFYING')
  transfers.clock.advance(60_000)
  expect((await jobOf(ask)).state).toBe('Success')
  transfers.jobs.forget('j-1')
  expect((await ask('GET jobs/j-1')).status).toBe(404)
})

test.for([
  ['fail', 'FAILED', ['/incoming/a']],
  ['resume', 'SUCCEEDED', ['/incoming/a', '/incoming/b', '/incoming/c']],
  ['forget', undefined, ['/incoming/a']],
] as const)('after a restart, jobs %s', async ([restartedJobs, state, paths]) => {
  const { transfers, ask } = await withFiles({ readings: { restartedJobs } })
  await createJob(ask, { paths: ['/a', '/b', '/c'] })
  transfers.clock.advance(3_610)
  await transfers.restart()
  expect((await ask('GET jobs/j-1')).status).toBe(401)
  transfers.clock.advance(3_600_000)
  expect((await jobOf(await session(transfers)))?.state).toBe(state)
  expect(transfers.paths('st-2')).toEqual(paths)
  expect(transfers.processed('st-1', '/a').read).toBe(1)
})
