import type { Job } from '../commands/jobs.ts'
import type { StorageManager } from '../contents/storageManager.ts'
import { Failed, Refused, type Response, successful } from '../statuses.ts'
import type { Readings } from '../unconfirmed.ts'
import { type Call, required } from './call.ts'

/** First answer to an asynchronous call. */
export function firstAnswer({ jobNames }: Readings, { number }: Job): object {
  if (jobNames === 'job') return { job: String(number), state: 'PENDING' }
  if (jobNames === 'jobId') return { jobInfo: { jobId: number, state: 'Pending' } }
  return { statuses: [successful()], jobNumber: String(number) }
}

/** `job/info`: state of an asynchronous call, with its response at the end. */
export function jobInfo({ jobs, readings }: StorageManager, call: Call): Response | object {
  const number = required(call, 'job')
  const job = jobs.get(Number(number))
  if (job) return { [readings.jobNames === 'jobNumber' ? 'joblist' : 'jobList']: [entryOf(readings, job)] }
  if (readings.unknownJob === '404') throw new Refused({ status: 404, body: 'Not Found' })
  if (readings.unknownJob === 'empty') return { jobList: [] }
  throw new Failed('unknown job', number)
}

function entryOf({ jobNames }: Readings, { number, state, response = {} as Response }: Job): object {
  if (jobNames === 'job') return { jobInfo: { job: String(number), state }, response }
  if (jobNames === 'jobId')
    return { jobInfo: { jobId: number, state: state.charAt(0) + state.slice(1).toLowerCase() }, response }
  return { jobinfo: { jobnumber: String(number), state: state.toLowerCase() }, response }
}
