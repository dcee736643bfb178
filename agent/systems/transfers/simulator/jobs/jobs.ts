import { defaultScript, type Job, type JobRequest, type JobScript } from './job.ts'

export type Jobs = ReturnType<typeof newJobs>

/** Jobs of the service, by their IDs, and the keys with which they were created. */
export function newJobs() {
  const jobs = new Map<string, Job>()
  const keys = new Map<string, { body: string; id: string }>()
  const scripts: Partial<JobScript>[] = []
  let count = 0
  return {
    all: () => [...jobs.values()],
    get: (id: string) => jobs.get(id),
    /** Removes a job and its key, as if the service no longer knew it. */
    forget(id: string): void {
      jobs.delete(id)
      for (const [key, created] of keys) if (created.id === id) keys.delete(key)
    },
    /** Requests by their `Idempotency-Key`. */
    keys,
    /** Changes the course of the next job only. */
    scriptNext: (script: Partial<JobScript>) => void scripts.push(script),
    add(request: JobRequest): Job {
      const job: Job = {
        ...request,
        id: `j-${++count}`,
        state: 'QUEUED',
        phase: undefined,
        files: [],
        bytesDone: 0,
        message: '',
        script: { ...defaultScript(), ...scripts.shift() },
        step: 0,
      }
      jobs.set(job.id, job)
      return job
    },
  }
}
