import { expect, test } from 'vitest'
import { type Job, type JobEvent, evolve } from '#events/jobs.ts'
import { cancelTask, endTask, failTask, queueScan, startTask } from './decide.ts'

const at = '2026-01-01T00:00:00.000Z'
const two = queueScan(
  42,
  [
    { volumeId: 7, serverId: 1, taskId: 1, scanId: 100 },
    { volumeId: 8, serverId: 1, taskId: 2, scanId: 101 },
  ],
  true,
  at,
)
const given = (...events: JobEvent[]): Job => {
  const job = [...two, ...events].reduce<Job | undefined>(evolve, undefined)
  if (!job) throw new Error('no job')
  return job
}
const then = (job: Job, events: JobEvent[]): Job => events.reduce(evolve, job)

test('a job of two volumes is new until the first task starts', () => {
  expect(given().status).toBe('NEW')
  expect(then(given(), startTask(given(), 1, 1, at)).status).toBe('RUNNING')
})

test('a job succeeds when all its tasks did', () => {
  const job = then(given(), [...endTask(given(), 1, { files: 3 }, at), ...endTask(given(), 2, { files: 4 }, at)])
  expect(job).toMatchObject({ status: 'SUCCESS', result: null })
})

test('a volume that fails beside one that succeeds makes a warning and is named', () => {
  const job = then(given(), [...endTask(given(), 1, {}, at), ...failTask(given(), 2, 'the share is gone', at)])
  expect(job.status).toBe('WARNING')
  expect(job.result?.failedScanVolumeSettings).toEqual([{ id: 8, reason: 'the share is gone' }])
})

test('a task with unreadable folders ends with a warning', () => {
  expect(endTask(given(), 1, { unreadable: 3 }, at)).toMatchObject([{ type: 'TaskWarned', taskId: 1 }])
})

test('what ended stays ended', () => {
  const failed = given(...failTask(given(), 1, 'gone', at))
  expect(endTask(failed, 1, {}, at)).toEqual([])
  expect(startTask(failed, 1, 2, at)).toEqual([])
  expect(cancelTask(failed, 1, 'ana', at)).toEqual([])
})

test('a task that was taken up again counts its attempts and keeps its first start', () => {
  const later = '2026-01-01T00:05:00.000Z'
  const job = given(...startTask(given(), 1, 1, at), { type: 'TaskStarted', at: later, taskId: 1, attempt: 2 })
  expect(job.tasks[0]).toMatchObject({ attempt: 2, startedAt: at, updatedAt: later })
})
