import { expect, test } from 'vitest'
import { JobEvent, statusAfter } from './events.ts'
import { foldStream } from './replay.ts'
import { jobStatuses } from './states.ts'
import { keptJobs, keptLog } from './testing/keptLog.ts'

const log = keptLog()
const jobs = keptJobs()

test.each(jobs)('job $id, a $type that is $status, folds to what it was when it was written', (job) => {
  expect(foldStream(log.filter(({ stream }) => stream === `job-${job.id}`))).toEqual(job)
})

test('the kept log has every event of a job, and every status', () => {
  expect(new Set(log.map(({ type }) => type))).toEqual(
    new Set(['JobQueued', 'TaskQueued', ...Object.keys(statusAfter)]),
  )
  expect(new Set(jobs.map(({ status }) => status))).toEqual(new Set(jobStatuses))
  expect(log.filter(({ data }) => !JobEvent.safeParse(data).success)).toEqual([])
})
