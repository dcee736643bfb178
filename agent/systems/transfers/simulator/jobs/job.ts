import { z } from 'zod'
import { newJobs as newJobList } from '#agent/simulator/jobs.ts'

const Location = z.strictObject({
  storageId: z.string(),
  name: z.string(),
  path: z.string().regex(/^\//),
  isDirectory: z.boolean(),
})

/** Body of `POST /jobs`. */
export const JobRequest = z.strictObject({
  name: z.string().min(1),
  reference: z.string().min(1),
  transferType: z.enum(['COPY', 'MOVE']),
  conflictHandling: z.enum(['OVERWRITE', 'RENAME', 'SKIP']).default('OVERWRITE'),
  keepFolderStructure: z.boolean().default(false),
  target: Location,
  sources: z.array(Location).min(1),
})
export type JobRequest = z.infer<typeof JobRequest>

export type JobState = 'QUEUED' | 'RUNNING' | 'SUCCEEDED' | 'PARTIAL' | 'FAILED' | 'CANCELLED'
type JobPhase = 'scanning' | 'analysis' | 'transfer'

/** Part of the work on one file. */
export type FileStep = 'scan' | 'read' | 'write' | 'delete'

/** A step that fails, where a corrupted file is copied with other content, and counts as done. */
export type FaultStep = FileStep | 'corrupt'

/** File of a job: its path in the source storage, and below the target. */
export type JobFile = {
  source: string
  target: string
  size: number
  modifiedAt: number
  result: 'waiting' | 'copied' | 'moved' | 'skipped' | 'failed' | 'source kept'
  error: string | undefined
}

/** Simulated times of a job, in milliseconds. */
const defaultScript = () => ({
  queuedMs: 1_000,
  /** Time to scan one source. */
  scanMs: 500,
  analysisMs: 1_000,
  /** Time of each file, in addition to that of its bytes. */
  fileMs: 100,
  bytesPerSecond: 100e6,
  /** Time between the copy of a file and the deletion of its source. */
  deleteMs: 100,
  /** Time until a cancellation takes effect. */
  cancelMs: 500,
  /** State of a running job that is sent instead of its own. */
  stateWord: undefined as string | undefined,
})
type JobScript = ReturnType<typeof defaultScript>

export type Job = JobRequest & {
  id: string
  state: JobState
  phase: JobPhase | undefined
  files: JobFile[]
  bytesDone: number
  message: string
  script: JobScript
  /** Changes with each step, so that timers of earlier ones do nothing. */
  step: number
}

export const isOver = ({ state }: Job): boolean => state !== 'QUEUED' && state !== 'RUNNING'

export const countOf = ({ files }: Job, ...results: JobFile['result'][]): number =>
  files.filter(({ result }) => results.includes(result)).length

/** Jobs of the service, and the ones that were created with each `Idempotency-Key`. */
export function newJobs() {
  const jobs = newJobList<Job, JobScript>(defaultScript)
  const keys = new Map<string, { body: string; id: string }>()
  let count = 0
  return {
    ...jobs,
    keys,
    forget(id: string): void {
      jobs.forget(id)
      for (const [key, created] of keys) if (created.id === id) keys.delete(key)
    },
    create: (request: JobRequest): Job =>
      jobs.add({
        ...request,
        id: `j-${++count}`,
        state: 'QUEUED',
        phase: undefined,
        files: [],
        bytesDone: 0,
        message: '',
        step: 0,
      }),
  }
}
