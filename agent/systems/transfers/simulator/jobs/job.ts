import { z } from 'zod'

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

/** A failing step of a file. A corrupted file is copied with other content, and counts as done. */
export type FileFault = {
  storageId: string
  path: string
  step: FileStep | 'corrupt'
  message: string
  times: number
}

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
export type JobScript = {
  queuedMs: number
  /** Time to scan one source. */
  scanMs: number
  analysisMs: number
  /** Time of each file, in addition to that of its bytes. */
  fileMs: number
  bytesPerSecond: number
  /** Time between the copy of a file and the deletion of its source. */
  deleteMs: number
  /** Time until a cancellation takes effect. */
  cancelMs: number
  /** State of a running job that is sent instead of its own. */
  stateWord: string | undefined
}

export const defaultScript = (): JobScript => ({
  queuedMs: 1_000,
  scanMs: 500,
  analysisMs: 1_000,
  fileMs: 100,
  bytesPerSecond: 100e6,
  deleteMs: 100,
  cancelMs: 500,
  stateWord: undefined,
})

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
