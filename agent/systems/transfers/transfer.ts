import type { TransferOrder } from '#events/actions/orders.ts'
import type { FileOutcome, PlannedFile } from '#events/actions/files.ts'
import type { TransportOptions } from '../http/transport.ts'
import type { Action, ActionContext, Batch } from '../../actions/action.ts'
import { type BatchProgress, newBatchProgress } from '../../actions/batchProgress.ts'
import { deleteSources, type RemoveFile, removeFile } from './deleteSources.ts'
import type { TransferEngine, TransferJob } from './engine.ts'
import { TransferAway } from './failures.ts'
import { openHttpEngine } from './httpEngine/index.ts'
import { findInTime, listFilesInTime, watchJob } from './jobs.ts'
import { failed, planned } from '../../actions/outcomes.ts'
import { resultsOf } from './outcomes.ts'
import { absolute, placementFault } from './placement.ts'
import { type Submission, submit } from './submit.ts'
import { defaultTiming, type Timing } from './timing.ts'
import { type CopyVerifier, newCopyVerifier } from './verifyCopies.ts'

export type TransferOptions = { timing?: Timing; transport?: TransportOptions; remove?: RemoveFile }

/** Files of a job, and jobs at the same time. The failures of a job may end it, so that a job has few files. */
const batchSize = 500
const parallel = 2
/** Searches for the job of a cancelled batch whose ID is not known. */
const cancelSearches = 3

type Work = {
  engine: TransferEngine
  order: TransferOrder
  timing: Timing
  progress: BatchProgress
  remove: RemoveFile
  verify: CopyVerifier
  /** Batches that this attempt sent. */
  sent: Map<string, Submission>
}

/**
 * Copies or moves files with the transfer service, each batch as one job. In a move by the agent the job copies, and the agent deletes a source
 * when its copy is verified.
 */
export async function openTransfer(
  order: TransferOrder,
  { signal, report, digestCopies }: ActionContext,
  { timing = defaultTiming, transport = {}, remove = removeFile }: TransferOptions = {},
): Promise<Action> {
  const engine = openHttpEngine(order.connection, { timing, transport })
  try {
    await engine.ping(signal)
  } catch (error) {
    engine.close()
    throw error
  }
  const verify = newCopyVerifier({ digestCopies }, timing)
  const work: Work = { engine, order, timing, remove, verify, progress: newBatchProgress(report), sent: new Map() }
  return {
    batchSize,
    parallel,
    send: (batch, sending) => send(work, batch, sending),
    async follow(batch, following) {
      const outcomes = await follow(work, batch, following)
      work.sent.delete(batch.reference)
      work.progress.note(batch.reference, '')
      work.progress.setBytes(batch.reference, 0)
      return outcomes
    },
    cancel: (batch, cancelling) => cancel(work, batch, cancelling),
    close: async () => engine.close(),
  }
}

async function send({ engine, order, timing, progress, sent }: Work, batch: Batch, signal: AbortSignal): Promise<void> {
  const { sendable } = divided(order, batch)
  if (sendable.length === 0) return
  const jobOf = (files: PlannedFile[], idempotencyKey: string): TransferJob => ({
    name: order.name,
    reference: batch.reference,
    idempotencyKey,
    transferType: isMoveByService(order) ? 'MOVE' : 'COPY',
    conflictHandling: order.conflictHandling,
    target: { ...order.target, path: absolute(order.target.path) },
    sourceStorageId: order.sourceStorageId,
    sources: files.map(({ place }) => absolute(place)),
  })
  const { reference } = batch
  try {
    sent.set(reference, await submit({ engine, timing, signal }, { reference, files: sendable, jobOf }))
  } catch (error) {
    if (!(error instanceof TransferAway)) throw error
    // The service may have the job: `follow` finds out.
    progress.note(reference, error.message)
  }
}

async function follow(work: Work, batch: Batch, signal: AbortSignal): Promise<FileOutcome[]> {
  const { engine, order, timing, sent } = work
  const { reference } = batch
  const { sendable, outcomes } = divided(order, batch)
  const { id: knownId, refused } = sent.get(reference) ?? { refused: [] }
  outcomes.push(...refused)
  const ended = new Set(outcomes.map(({ position }) => position))
  const files = sendable.filter(({ position }) => !ended.has(position))
  if (files.length === 0) return outcomes
  const id = knownId ?? (await findInTime(engine, reference, { timing, signal }))
  if (id === undefined) return [...outcomes, ...files.map(planned)]
  sent.set(reference, { id, refused })
  return [...outcomes, ...(await resultsOfJob(work, { id, reference, files }, signal))]
}

/** Waits until a job is over, and deletes sources in a move by the agent. Returns the outcomes of its files. */
async function resultsOfJob(
  { engine, order, timing, progress, remove, verify }: Work,
  { id, reference, files }: Batch & { id: string },
  signal: AbortSignal,
): Promise<FileOutcome[]> {
  const status = await watchJob(engine, id, {
    timing,
    signal,
    note: (text) => progress.note(reference, text),
    setBytes: (bytes) => progress.setBytes(reference, bytes),
  })
  const ended = { id, succeeded: status?.state === 'succeeded', count: files.length }
  const listed = status && (await listFilesInTime(engine, ended, { timing, signal }))
  const { outcomes, copied } = resultsOf({ order, id, status, files, listed })
  if (copied.length === 0) return outcomes
  progress.note(reference, `Transfer job ${id}: comparing the copies with their sources, and deleting these`)
  const { verified, kept } = await verify(copied, signal)
  return [...outcomes, ...kept, ...(await deleteSources(verified, { remove, signal }))]
}

/** Cancels the job of a batch, which may appear some time after its request. */
async function cancel({ engine, timing, sent }: Work, { reference }: Batch, signal: AbortSignal): Promise<void> {
  let id = sent.get(reference)?.id
  for (let searches = 1; id === undefined && searches <= cancelSearches; searches++) {
    if (searches > 1) await timing.wait(timing.retryDelayMs, signal)
    id = await engine.findJob(reference, signal)
  }
  if (id !== undefined) await engine.cancelJob(id, signal)
}

/** Files of a batch that can be sent, and outcomes of the others. */
function divided(order: TransferOrder, { files }: Batch): { sendable: PlannedFile[]; outcomes: FileOutcome[] } {
  const sendable: PlannedFile[] = []
  const outcomes: FileOutcome[] = []
  for (const file of files) {
    const fault = placementFault(order, file)
    if (fault === undefined) sendable.push(file)
    else outcomes.push(failed(file, fault))
  }
  return { sendable, outcomes }
}

/** The service deletes the sources. */
const isMoveByService = ({ transferType, deletedBy }: TransferOrder): boolean =>
  transferType === 'MOVE' && deletedBy === 'service'
