import { fieldsOf } from '#events/jobs/taskResults.ts'
import { expect, test } from 'vitest'
import { type Job, type JobEvent, evolve } from '#events/jobs/events.ts'
import { noFilters } from '#events/search/filters.ts'
import { cancelTask, endTask, failTask, progressTask, queueScan, queueTagging, startTask } from './decide.ts'

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

/** The job after both tasks started. */
const begun = (...events: JobEvent[]): Job =>
  given(...[1, 2].map((taskId) => ({ type: 'TaskStarted', at, taskId, attempt: 1 }) as const), ...events)

test('a job and its tasks name storages that they only scan in part', () => {
  const [planned, other] = [
    { volumeId: 7, scannedPath: '/films', serverId: 1, taskId: 1, scanId: 100 },
    { volumeId: 8, scannedPath: '', serverId: 1, taskId: 2, scanId: 101 },
  ]
  expect(queueScan(42, [planned, other], true, at)).toMatchObject([
    { payload: { volumes: [7, 8], storageIdToPath: { 7: '/films' }, cloneIndex: true } },
    { payload: { volumes: [7], storageIdToPath: { 7: '/films' }, cloneIndex: true } },
    { payload: { volumes: [8], cloneIndex: true } },
  ])
})

test('a job of two volumes is new until the first task starts', () => {
  expect(given().status).toBe('NEW')
  expect(then(given(), startTask(given(), 1, 1, at)).status).toBe('RUNNING')
})

test('a job succeeds when all its tasks did', () => {
  const job = then(begun(), [...endTask(begun(), 1, { files: 3 }, at), ...endTask(begun(), 2, { files: 4 }, at)])
  expect(job).toMatchObject({ status: 'SUCCESS', result: null })
})

test('a job that succeeded keeps the notes of its scans, each once', () => {
  const note = 'All of it was scanned'
  const job = then(begun(), [...endTask(begun(), 1, { files: 3, note }, at), ...endTask(begun(), 2, { note }, at)])
  expect(job).toMatchObject({ status: 'SUCCESS', result: { note } })
})

test('a failed volume next to a successful one makes a warning and is named', () => {
  const job = then(begun(), [...endTask(begun(), 1, {}, at), ...failTask(begun(), 2, 'the share is gone', at)])
  expect(job.status).toBe('WARNING')
  expect(fieldsOf(job.result).failedScanVolumeSettings).toEqual([{ id: 8, reason: 'the share is gone' }])
})

test('a task with unreadable folders ends with a warning', () => {
  expect(endTask(begun(), 1, { unreadable: 3 }, at)).toMatchObject([{ type: 'TaskWarned', taskId: 1 }])
  const job = then(begun(), [...endTask(begun(), 1, { unreadable: 3 }, at), ...endTask(begun(), 2, {}, at)])
  expect([job.status, job.result]).toEqual([
    'WARNING',
    { failedScanVolumeSettings: [{ id: 7, reason: '3 paths could not be read' }] },
  ])
})

test('a scan of a store with odd records ends with a warning that counts them', () => {
  const result = { unreadable: 1, oddRecords: 3, note: '3 records could not be read in full: 3 without a size.' }
  const job = then(begun(), [...endTask(begun(), 1, result, at), ...endTask(begun(), 2, {}, at)])
  expect([job.status, job.result]).toEqual([
    'WARNING',
    { failedScanVolumeSettings: [{ id: 7, reason: '3 records could not be read' }], note: result.note },
  ])
})

test('an ended job stays ended', () => {
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

test('a tagging job shows its progress, and ends with its one task', () => {
  const payload = { tags: ['raw'], remove: false, isDirectory: false, filters: noFilters }
  const queued = queueTagging(7, 9, payload, at).reduce<Job | undefined>(evolve, undefined)!
  expect(queued).toMatchObject({ id: 7, type: 'TAG_SEARCH_RESULT', status: 'NEW', payload })
  const started = then(queued, startTask(queued, 9, 1, at))
  const halfway = then(started, progressTask(started, 9, { tagged: 5, toTag: 10 }, at))
  expect([halfway.status, halfway.tasks[0]?.result]).toEqual(['RUNNING', { tagged: 5, toTag: 10 }])
  expect(then(halfway, endTask(halfway, 9, { tagged: 10, toTag: 10 }, at)).status).toBe('SUCCESS')
  const failed = then(halfway, failTask(halfway, 9, 'no memory', at))
  expect([failed.status, failed.result]).toEqual(['FAILURE', { reason: 'no memory' }])
  expect(progressTask(failed, 9, { tagged: 6, toTag: 10 }, at)).toEqual([])
})
