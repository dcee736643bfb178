import type { JobState } from './jobs/job.ts'

/**
 * Facts about the service that are not public, with their possible variants. Only the token call, `GET /` and the JSON:API form of lists are
 * the vendor's; fields of jobs, folders and errors are our own contract. The readings may change while the simulator runs.
 */
export type Readings = {
  /** A token ends when the next one is issued, or at its expiry. */
  endsOldToken: boolean
  /** Capacities as text or numbers. Unknown ones are null. */
  capacities: 'text' | 'number'
  /** The last page has no `next` link, or null. */
  lastLink: 'absent' | 'null'
  maxPageSize: number
  maxSources: number
  /** A repeated `Idempotency-Key` returns the first job, or creates another one. */
  honorsIdempotencyKey: boolean
  /** `filter[reference]` is applied, ignored (all jobs are returned), or refused. */
  referenceFilter: 'applied' | 'ignored' | 'refused'
  /** Number of failed files up to which a job is PARTIAL. With more, it stops and is FAILED. */
  maxFailures: number
  /** Skipped files count as done, or are not counted. */
  skippedFiles: 'done' | 'omitted'
  /** Renamed files, for example `clip 1.mov`, `clip (1).mov` or `clip.mov.1`. */
  renamed: 'name 1' | 'name (1)' | 'suffix'
  /** A move deletes each source after its copy, or all of them at the end. */
  moveDeletes: 'each' | 'at the end'
  /** Unfinished jobs after a restart: failed, resumed from the next file, or unknown. */
  restartedJobs: 'fail' | 'resume' | 'forget'
  /** Words of the service for states, instead of ours. */
  stateWords: Partial<Record<JobState, string>>
  /** `GET /jobs/{id}/files` lists the files of a job, or does not exist. */
  fileList: 'listed' | 'absent'
  /** Checksums of copies in that list: MD5, or null. */
  checksums: 'md5' | 'absent'
  /** Refused calls get status 200 with `errors`, as in GraphQL. */
  errorsWithStatus200: boolean
  /** Seconds in the header `Retry-After` of status 429. Fixed at the start of the simulator. */
  retryAfterSeconds: number | undefined
}

export const defaultReadings = (): Readings => ({
  endsOldToken: false,
  capacities: 'text',
  lastLink: 'absent',
  maxPageSize: 1_000,
  maxSources: 10_000,
  honorsIdempotencyKey: true,
  referenceFilter: 'applied',
  maxFailures: 10,
  skippedFiles: 'done',
  renamed: 'name 1',
  moveDeletes: 'each',
  restartedJobs: 'fail',
  stateWords: {},
  fileList: 'listed',
  checksums: 'md5',
  errorsWithStatus200: false,
  retryAfterSeconds: 1,
})
