import type { Clock } from '#agent/simulator/clock.ts'
import { newJobs as newJobList } from '#agent/simulator/jobs.ts'
import type { Outcome, Response } from '../statuses.ts'
import type { Readings } from '../unconfirmed.ts'

/** An asynchronous command. It has a response at the end. */
export type Job = {
  id: string
  number: number
  call: string
  state: 'PENDING' | 'RUNNING' | 'COMPLETED' | 'ERROR'
  response: Response | undefined
  script: JobScript
}

/** A command that takes simulated time. */
export type Command = (end: (response: Response, outcome: Outcome) => void) => void

/** Course of a job. With `error: 'before work'` nothing is done; with `after work`, only the state is wrong. */
type JobScript = { error?: 'before work' | 'after work' }

const pendingMs = { fast: 1_000, slow: 60_000 }

export function newJobs(readings: Readings, clock: Clock) {
  const jobs = newJobList<Job, JobScript>(() => ({}))
  const stateOf = (outcome: Outcome): Job['state'] =>
    outcome === 'partial' ? readings.partialJobState : outcome === 'success' ? 'COMPLETED' : 'ERROR'
  let lastNumber = 16
  return {
    ...jobs,
    submit(call: string, type: 'fast' | 'slow', command: Command, failed: Response): Job {
      const number = ++lastNumber
      const job = jobs.add({ id: String(number), number, call, state: 'PENDING', response: undefined })
      const end = (response: Response, outcome: Outcome) => {
        job.response = response
        job.state = job.script.error ? 'ERROR' : stateOf(outcome)
      }
      clock.after(pendingMs[type], () => {
        if (jobs.get(job.id) !== job) return
        job.state = 'RUNNING'
        if (job.script.error === 'before work') end(failed, 'failed')
        else command(end)
      })
      return job
    },
  }
}
