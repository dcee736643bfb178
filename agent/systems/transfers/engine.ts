import type { TransferStorage } from '#events/actions/transfers.ts'
import type { TransferOrder } from '#events/actions/orders.ts'

/** A job to create. Paths begin with '/'; the copies keep the paths of their sources below the target. */
export type TransferJob = Pick<TransferOrder, 'name' | 'transferType' | 'conflictHandling' | 'target'> & {
  /** Finds the job again. */
  reference: string
  /** Requests with the same key create one job, if the service honors keys. */
  idempotencyKey: string
  sourceStorageId: string
  sources: string[]
}

/** `waiting` and `running` are not over. A state with a word that is not known is `running`. */
export type JobState = 'waiting' | 'running' | 'succeeded' | 'partial' | 'failed' | 'cancelled'

/** State of a job. `word` is the service's own one, and `message` its text, or ''. Counts are undefined if it does not tell them. */
export type TransferStatus = {
  state: JobState
  word: string
  isWordKnown: boolean
  message: string
  filesDone: number | undefined
  filesFailed: number | undefined
  bytesDone: number
}

/**
 * Result of a file of a job. In a move by the service, `copied` includes that its source was deleted. `size` in bytes and `checksum` are
 * those of the file at `target`, undefined if unknown.
 */
export type TransferredFile = {
  source: string
  target: string
  state: 'waiting' | 'copied' | 'skipped' | 'failed'
  message: string
  size: number | undefined
  checksum: string | undefined
}

/**
 * A transfer service. All calls throw the errors of `failures.ts`, or the signal's reason. Jobs are undefined if the service does not know
 * them.
 */
export type TransferEngine = {
  /** Checks the sign-in. */
  ping(signal: AbortSignal): Promise<void>
  listStorages(signal: AbortSignal): Promise<TransferStorage[]>
  listFolders(storageId: string, path: string, signal: AbortSignal): Promise<{ name: string; path: string }[]>
  /** Creates a job, and sends one request. Throws `Refused` or `NotSent` if there is certainly no new job. Returns its ID. */
  createJob(job: TransferJob, signal: AbortSignal): Promise<string>
  /** ID of the job with a reference. */
  findJob(reference: string, signal: AbortSignal): Promise<string | undefined>
  getJob(id: string, signal: AbortSignal): Promise<TransferStatus | undefined>
  /**
   * Results of all files of a job; undefined if the service does not list them. A list with more than twice as many as the job has throws
   * `TransferFailed`.
   */
  listFiles(id: string, count: number, signal: AbortSignal): Promise<TransferredFile[] | undefined>
  /** Ends a job, unless it is over. */
  cancelJob(id: string, signal: AbortSignal): Promise<void>
  close(): void
}
