import type { JobState } from './jobs/job.ts'

/**
 * Facts about the service that are not public, with their possible variants. Only the token call, `GET /` and the JSON:API form of lists are
 * the vendor's; fields of jobs, folders and errors are our own contract. The readings may change while the simulator runs.
 */
export const defaultReadings = () => ({
  /** A token ends when the next one is issued, or at its expiry. */
  endsOldToken: false,
  /** Capacities as text or numbers. Unknown ones are null. */
  capacities: 'text' as 'text' | 'number',
  /** The last page has no `next` link, or null. */
  lastLink: 'absent' as 'absent' | 'null',
  maxPageSize: 1_000,
  maxSources: 10_000,
  /** A repeated `Idempotency-Key` returns the first job, or creates another one. */
  honorsIdempotencyKey: true,
  /** `filter[reference]` is applied, ignored (all jobs are returned), or refused. */
  referenceFilter: 'applied' as 'applied' | 'ignored' | 'refused',
  /** Number of failed files up to which a job is PARTIAL. With more, it stops and is FAILED. */
  maxFailures: 10,
  /** Skipped files count as done, or are not counted. */
  skippedFiles: 'done' as 'done' | 'omitted',
  /** Renamed files, for example `clip 1.mov`, `clip (1).mov` or `clip.mov.1`. */
  renamed: 'name 1' as 'name 1' | 'name (1)' | 'suffix',
  /** A move deletes each source after its copy, or all of them at the end. */
  moveDeletes: 'each' as 'each' | 'at the end',
  /** Unfinished jobs after a restart: failed, resumed from the next file, or unknown. */
  restartedJobs: 'fail' as 'fail' | 'resume' | 'forget',
  /** Words of the service for states, instead of ours. */
  stateWords: {} as Partial<Record<JobState, string>>,
  /** `GET /jobs/{id}/files` lists the files of a job, or does not exist. */
  fileList: 'listed' as 'listed' | 'absent',
  /** Checksums of copies in that list: MD5, or null. */
  checksums: 'md5' as 'md5' | 'absent',
  /** Refused calls get status 200 with `errors`, as in GraphQL. */
  errorsWithStatus200: false,
  /** Seconds in the header `Retry-After` of status 429. Fixed at the start of the simulator. */
  retryAfterSeconds: 1 as number | undefined,
})
export type Readings = ReturnType<typeof defaultReadings>
