import type { FileOutcome, PlannedFile } from '#events/actions/files.ts'
import { isText } from '#events/scans/names.ts'
import type { Action, Batch } from '../action.ts'
import { translated } from './failures.ts'
import { failed, planned, unsendable } from '../outcomes.ts'
import type { Server } from './server.ts'
import { type EndedJob, watchJob } from './jobs/watchJob.ts'

/** A batch that this attempt sent: its job, '' if unknown, and files that have an outcome without it. */
export type SentBatch = {
  jobId: string
  ended: FileOutcome[]
  /** Handles of files in P5's answer by place, if it lists them. */
  accepted?: Map<string, string> | undefined
}

type Work = {
  /** Sends files of a batch as one job. */
  send(batch: Batch, signal: AbortSignal): Promise<SentBatch>
  /** Outcomes of files of a job that has ended. `sent` is undefined if an earlier attempt sent the batch. */
  judge(job: EndedJob, files: PlannedFile[], sent: SentBatch | undefined, signal: AbortSignal): Promise<FileOutcome[]>
}

/** Files of a submission, and submissions at the same time. P5 documents no limits. */
const batchSize = 1_000
const parallel = 2

/** An action whose batches are jobs of P5, which their references find again. */
export function newAction({ client, jobs, timing, note, jobNote }: Server, { send, judge }: Work): Action {
  const sentBatches = new Map<string, SentBatch>()

  async function sendBatch(batch: Batch, signal: AbortSignal): Promise<void> {
    const sent = await send({ ...batch, files: batch.files.filter(isSendable) }, signal)
    if (sent.jobId !== '') jobs.remember(batch.reference, sent.jobId)
    sentBatches.set(batch.reference, sent)
  }

  async function followBatch({ reference, files }: Batch, signal: AbortSignal): Promise<FileOutcome[]> {
    const sent = sentBatches.get(reference)
    const unsent = files.filter((file) => !isSendable(file)).map((file) => failed(file, unsendable))
    const ended = [...unsent, ...(sent?.ended ?? [])]
    const positions = new Set(ended.map(({ position }) => position))
    const left = files.filter(({ position }) => !positions.has(position))
    if (left.length === 0) return ended
    const id = await jobs.findInTime(reference, signal)
    if (id === undefined) return [...ended, ...left.map(planned)]
    const job = await watchJob(jobs, id, { timing, signal, note: jobNote(reference, id) })
    return [...ended, ...(await judge(job, left, sent, signal))]
  }

  return {
    batchSize,
    parallel,
    send: (batch, signal) => translated(() => sendBatch(batch, signal)),
    async follow(batch, signal) {
      const outcomes = await translated(() => followBatch(batch, signal))
      sentBatches.delete(batch.reference)
      jobs.forget(batch.reference)
      note(batch.reference, '')
      return outcomes
    },
    cancel: ({ reference }, signal) =>
      translated(async () => {
        const id = await jobs.find(reference, true, signal)
        if (id !== undefined) await jobs.cancel(id, signal)
      }),
    close: async () => client.close(),
  }
}

const isSendable = ({ place }: PlannedFile): boolean => isText(place)
