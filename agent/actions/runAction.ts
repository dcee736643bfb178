import type { FileOutcome } from '#events/actions/files.ts'
import type { ActionOrder } from '#events/actions/orders.ts'
import { TaskCancelled, type TaskContext } from '../execution.ts'
import { inParallel } from '../systems/inParallel.ts'
import { messageOf } from '../systems/system.ts'
import { type Action, type ActionContext, ActionFailed, type Batch } from './action.ts'
import { type Link, openLink } from './link.ts'
import { failed, planned } from './outcomes.ts'
import { patiently } from './patiently.ts'

/** Times that a system may lose the same files before they count as failed. */
const maxLosses = 3
/** Time limit to end the batches of a cancelled job in their system. */
const cancelTimeoutMs = 10_000

type ActionTask = { taskId: number; order: ActionOrder }
/** Brings the files of a task to their final states. */
type Work = (link: Files) => Promise<void>
type Open = (order: ActionOrder, context: ActionContext) => Promise<Action>
/** The part of the link that the run of an action needs. */
export type Files = Pick<Link, 'files' | 'record' | 'setProgress' | 'digestCopies'>
type Running = { action: Action; link: Files; order: ActionOrder; signal: AbortSignal; open: Set<Batch> }

/** Runs a task of the type ACT_ON_FILES, and reports its progress and its end. */
export async function runAction(
  { connection, refusal }: Pick<TaskContext, 'connection' | 'refusal'>,
  { taskId, order }: ActionTask,
  signal: AbortSignal,
  work: Work,
): Promise<void> {
  const link = openLink(connection, { taskId, attempt: order.attempt }, signal)
  if (refusal !== undefined) return link.end(refusal)
  const over = new AbortController()
  const progress = link.reportProgress(AbortSignal.any([signal, over.signal]))
  try {
    await work(link)
    await link.end()
  } catch (error) {
    if (!(error instanceof ActionFailed)) throw error
    await link.end(error.message)
  } finally {
    over.abort()
    await progress
  }
}

/**
 * Acts on all files of an order: first finds out about files that an earlier attempt sent, then sends the others. Throws `ActionFailed`, or the
 * signal's reason.
 */
export async function runFiles(link: Files, order: ActionOrder, signal: AbortSignal, openAction: Open): Promise<void> {
  const { jobId, product } = order
  const { setProgress: report, digestCopies } = link
  const action = await patiently(
    () => openAction(order, { jobId, product, signal, report, digestCopies }),
    report,
    signal,
  )
  const running = { action, link, order, signal, open: new Set<Batch>() }
  try {
    await followSent(running)
    await sendPlanned(running)
  } catch (error) {
    if (signal.reason instanceof TaskCancelled || error instanceof TaskCancelled) await cancelOpen(running)
    throw error
  } finally {
    await action.close?.().catch(() => {})
  }
}

/** Files that were sent by an earlier attempt, by the reference of their batch. */
async function followSent(running: Running): Promise<void> {
  const batches = new Map<string, Batch>()
  for await (const files of running.link.files('sent'))
    for (const file of files) {
      const { reference } = file
      const batch = batches.get(reference) ?? { reference, files: [] }
      batches.set(reference, batch)
      batch.files.push(file)
    }
  await inParallel(batches.values(), running.action.parallel, (batch) => follow(running, batch))
}

/** Sends planned files, again those that the system turned out not to have got. */
async function sendPlanned(running: Running): Promise<void> {
  const sent = { batches: 0 }
  const losses = new Map<number, number>()
  const send = async (batch: Batch) => {
    const { link, action, signal } = running
    running.open.add(batch)
    await link.record(
      batch.files.map(({ position }) => ({ position, state: 'sent', reference: batch.reference, reason: '' })),
    )
    await action.send(batch, signal).catch(async (error: unknown) => {
      if (error instanceof ActionFailed) await link.record(batch.files.map(planned))
      if (error instanceof ActionFailed || signal.aborted) throw error
      // The system may have it all the same: `follow` finds out.
      link.setProgress({ note: messageOf(error) })
    })
    await follow(running, batch, losses)
  }
  for (let before = -1; before < sent.batches;) {
    before = sent.batches
    await inParallel(plannedBatches(running, sent), running.action.parallel, send)
  }
}

/** `sent` counts over the attempt, so that each reference is used once. */
async function* plannedBatches({ link, action, order }: Running, sent: { batches: number }): AsyncGenerator<Batch> {
  const prefix = `dataintell-${order.product.slice(0, 8)}-${order.jobId}-${order.attempt}`
  for await (const files of link.files('planned'))
    for (let at = 0; at < files.length; at += action.batchSize)
      yield { reference: `${prefix}-${++sent.batches}`, files: files.slice(at, at + action.batchSize) }
}

async function follow(running: Running, batch: Batch, losses = new Map<number, number>()): Promise<void> {
  const { action, link, signal, open } = running
  open.add(batch)
  const found = await patiently(() => action.follow(batch, signal), link.setProgress, signal)
  const outcomes = new Map(found.map((outcome) => [outcome.position, outcome]))
  await link.record(
    batch.files.map(({ position }) =>
      judge(outcomes.get(position) ?? failed({ position }, 'The system did not report a result for it'), losses),
    ),
  )
  open.delete(batch)
}

function judge(outcome: FileOutcome, losses: Map<number, number>): FileOutcome {
  if (outcome.state !== 'planned') return outcome
  const lost = (losses.get(outcome.position) ?? 0) + 1
  losses.set(outcome.position, lost)
  if (lost < maxLosses) return outcome
  return { ...outcome, state: 'failed', reason: `The system did not take it, ${maxLosses} times` }
}

async function cancelOpen({ action, open }: Running): Promise<void> {
  const timeout = AbortSignal.timeout(cancelTimeoutMs)
  for (const batch of open) await action.cancel?.(batch, timeout).catch(() => {})
}
