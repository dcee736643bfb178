import { NotFound, P5Busy, P5Failed } from '../failures.ts'
import { type Action, type ActionContext, ActionFailed, type Batch, SystemAway } from '../../../actions/action.ts'
import type { ArchiwareConnection } from '#events/sources/archiwares.ts'
import { newClient } from '../client.ts'
import { readObject } from '../lists.ts'
import { segmentOf } from '../names.ts'
import { newBatchProgress } from '../../../actions/batchProgress.ts'
import { newJobs } from './jobs.ts'
import type { Timing } from './timing.ts'
import type { FileOutcome, PlannedFile } from '#events/actions/files.ts'
import { isText } from '#events/contract/fileNames.ts'
import { failed, planned, unsendable } from '../../../actions/outcomes.ts'
import { type EndedJob, watchJob } from './watchJob.ts'

/** Translates failures of the client: those that may pass are `SystemAway`, others end the action. */
export async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof P5Busy) throw new SystemAway(error.message)
    if (error instanceof P5Failed) throw new ActionFailed(error.message)
    throw error
  }
}

type Options = { order: { connection: ArchiwareConnection; clientId: string }; context: ActionContext; timing: Timing }
export type Server = ReturnType<typeof newServer>

/** Opens a P5 server for an action that `check` allows. Throws `ActionFailed` or `SystemAway`. */
export async function openServer<T>(options: Options, check: (server: Server) => Promise<T>) {
  const server = await translated(async () => newServer(options))
  try {
    const checked = await translated(async () => {
      await checkClient(server, options)
      return check(server)
    })
    return { server, checked }
  } catch (error) {
    server.client.close()
    throw error
  }
}

function newServer({ order, context, timing }: Options) {
  const client = newClient(order.connection, { isKnown: true })
  const { note } = newBatchProgress(context.report)
  return {
    client,
    jobs: newJobs(client, timing),
    timing,
    note,
    /** Shows the last line of the report of a job. */
    jobNote: (reference: string, id: string) => (line: string) =>
      note(reference, line === '' ? '' : `Archiware P5 job ${id}: ${line}`),
  }
}

async function checkClient({ client }: Server, { order: { clientId }, context: { signal } }: Options): Promise<void> {
  try {
    await client.general(`clients/${segmentOf(clientId)}`, { read: readObject, signal })
  } catch (error) {
    if (!(error instanceof NotFound)) throw error
    throw new ActionFailed(`Archiware P5 at ${client.host} has no client ${clientId}. Choose another client`)
  }
}

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
