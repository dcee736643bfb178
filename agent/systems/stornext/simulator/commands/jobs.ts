import type { Clock } from '#agent/simulator/clock.ts'
import type { Outcome, Response } from '../statuses.ts'
import type { Readings } from '../unconfirmed.ts'

type JobState = 'PENDING' | 'RUNNING' | 'COMPLETED' | 'ERROR'

/** An asynchronous command. It has a response at the end. */
export type Job = { number: number; call: string; state: JobState; response: Response | undefined }

/** A command that takes simulated time. */
export type Command = (end: (response: Response, outcome: Outcome) => void) => void

/** Course of a job. With `error: 'before work'` nothing is done; with `after work`, only the state is wrong. */
export type JobScript = { pendingMs: number; error: 'before work' | 'after work' | undefined }

export type Jobs = ReturnType<typeof newJobs>

const states: Record<Outcome, (readings: Readings) => JobState> = {
  success: () => 'COMPLETED',
  partial: ({ partialJobState }) => partialJobState,
  failed: () => 'ERROR',
}

const pendingMs = { fast: 1_000, slow: 60_000 }

export function newJobs(readings: Readings, clock: Clock) {
  const jobs = new Map<number, Job>()
  const scripts: Partial<JobScript>[] = []
  let lastNumber = 16
  return {
    all: () => [...jobs.values()],
    get: (number: number) => jobs.get(number),
    /** Removes all jobs. Running ones never end. */
    forgetAll: () => jobs.clear(),
    /** Changes the course of the next job only. */
    scriptNext: (script: Partial<JobScript>) => void scripts.push(script),
    submit(call: string, type: 'fast' | 'slow', command: Command, failed: Response): Job {
      const script = { pendingMs: pendingMs[type], error: undefined, ...scripts.shift() }
      const job: Job = { number: ++lastNumber, call, state: 'PENDING', response: undefined }
      jobs.set(job.number, job)
      const end = (response: Response, outcome: Outcome) => {
        job.response = response
        job.state = script.error ? 'ERROR' : states[outcome](readings)
      }
      clock.after(script.pendingMs, () => {
        if (jobs.get(job.number) !== job) return
        job.state = 'RUNNING'
        if (script.error === 'before work') end(failed, 'failed')
        else command(end)
      })
      return job
    },
  }
}
