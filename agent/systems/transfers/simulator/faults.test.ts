import { expect, test } from 'vitest'
import { createJob, jobOf, session, withFiles } from './testing.ts'

test('calls are refused above a rate, with the time to wait', async () => {
  const { transfers, ask } = await withFiles()
  transfers.faults.throttle(2)
  await ask('GET storages')
  const { status, headers, body } = await ask('GET storages')
  expect([status, headers['retry-after'], body.errors[0].status]).toEqual([429, '1', '429'])
})

test('calls fail, are lost, malformed or late', async () => {
  const { transfers, ask } = await withFiles()
  transfers.faults.failNext('GET jobs', 500, { errors: [{ status: '500', title: 'Internal' }] })
  expect(await ask('GET jobs')).toMatchObject({ status: 500, body: { errors: [{ title: 'Internal' }] } })
  transfers.faults.failNext('GET jobs', 200, { errors: [{ message: 'not now' }] })
  expect(await ask('GET jobs')).toMatchObject({ status: 200, body: { errors: [{ message: 'not now' }] } })
  transfers.faults.malformNext('GET jobs')
  await expect(ask('GET jobs')).rejects.toThrow(SyntaxError)
  transfers.faults.loseAnswer('POST jobs/j-1/cancel')
  await createJob(ask, { paths: ['/a'] })
  await expect(ask('POST jobs/j-1/cancel')).rejects.toThrow('socket hang up')
  transfers.clock.advance(500)
  expect((await jobOf(ask)).state).toBe('CANCELLED')
  transfers.faults.delayNext('GET jobs', 50)
  const before = performance.now()
  await ask('GET jobs')
  expect(performance.now() - before).toBeGreaterThan(45)
})

test('refused calls may have status 200', async () => {
  const { ask } = await withFiles({ readings: { errorsWithStatus200: true } })
  expect(await ask('GET jobs/j-9')).toMatchObject({ status: 200, body: { errors: [{ status: '404' }] } })
})

test('a restart in the middle of a job refuses connections for some time', async () => {
  const { transfers, ask } = await withFiles({ readings: { restartedJobs: 'resume' } })
  await createJob(ask, { paths: ['/a', '/b', '/c'] })
  transfers.clock.advance(3_200)
  const restarted = transfers.restart(200)
  await expect.poll(() => ask('GET jobs').catch(() => 'refused')).toBe('refused')
  await restarted
  transfers.clock.advance(60_000)
  expect((await jobOf(await session(transfers))).state).toBe('SUCCEEDED')
  expect(transfers.processed('st-2', '/incoming/a').written).toBe(1)
})

test('the clock also moves on its own', async () => {
  const { ask } = await withFiles({ clock: { speed: 1_000 } })
  await createJob(ask, { paths: ['/a'] })
  await expect.poll(() => jobOf(ask)).toMatchObject({ state: 'SUCCEEDED' })
})
