import type { JsMsg } from 'nats'
import { readOutside } from '#events/contract/readOutside.ts'
import { type Progress, ScanEvent } from '#events/scans/lifecycle.ts'
import { consumers, readScanSubject, streams } from '#events/subjects.ts'
import { countRefused } from '#server/workers/ingest/index.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { AnnouncedScan } from '#server/platform/postgres/jobTables.ts'
import { type Scan, announce, findScan } from './changeScan.ts'
import { checkScan } from './completeScan.ts'
import { cancelScan, failScan } from './endScan.ts'
import { stopTask } from '#server/workers/tasks/index.ts'
import { isRefusedValue, isStoreLost } from '#server/platform/storeErrors.ts'

/** Unreadable paths that are stored by name; others are only counted. */
const keptUnreadable = 1_000

/** Deliveries of an event that fails although the stores work. */
const maxDeliveries = 5

/**
 * Handles events of agents about their scans. While a store is down, messages are redelivered later; an event that can't
 * be stored is refused, since it would otherwise hold up the events of all agents.
 */
export async function startLifecycle(platform: Platform): Promise<{ stop(): Promise<void> }> {
  const consumer = await platform.nats.js.consumers.get(streams.scans, consumers.lifecycle)
  const messages = await consumer.consume({ max_messages: 100 })
  const running = (async () => {
    for await (const message of messages) await take(platform, message)
  })()
  return {
    async stop() {
      await messages.close()
      await running
    },
  }
}

async function take(platform: Platform, message: JsMsg): Promise<void> {
  try {
    const refused = await handle(platform, message)
    if (refused) await countRefused(platform, refused.agentId, refused.reason)
    message.ack()
  } catch (error) {
    const isTried = message.info.redeliveryCount >= maxDeliveries && !isStoreLost(error)
    if (isTried || isRefusedValue(error)) return refuse(platform, message, error)
    platform.log.warn({ error, subject: message.subject }, 'An event of a scan could not be handled; it is redelivered')
    message.nak(1_000)
  }
}

async function refuse(platform: Platform, message: JsMsg, error: unknown): Promise<void> {
  platform.log[isRefusedValue(error) ? 'warn' : 'error'](
    { error, subject: message.subject },
    'An event of a scan was refused',
  )
  const { agentId = 0 } = readScanSubject(message.subject) ?? {}
  await countRefused(platform, agentId, 'an event that cannot be stored').catch(() => undefined)
  message.term()
}

async function handle(platform: Platform, message: JsMsg): Promise<{ agentId: number; reason: string } | undefined> {
  const subject = readScanSubject(message.subject)
  const agentId = subject?.agentId ?? 0
  const event = readEvent(message)
  if (!subject || !event) return { agentId, reason: 'not a scan event' }
  const scan = await findScan(platform, subject.scanId)
  if (!scan || scan.agentId !== agentId) return { agentId, reason: 'no such scan of this agent' }
  if (scan.attempt === event.attempt && scan.agentRun !== event.run)
    return { agentId, reason: 'an event of another run of the agent' }
  if (scan.state === 'running' && scan.attempt === event.attempt) {
    await apply(platform, scan, event, message.seq)
    return undefined
  }
  // The agent did not receive the request to stop, or hasn't handled it yet.
  if (event.type === 'progressed') stopTask(platform, agentId, { taskId: scan.taskId, attempt: event.attempt })
  return isExpectedLate(scan, event) ? undefined : { agentId, reason: 'the scan is closed' }
}

/** Events of an older attempt, or of the last one until the agent receives the request to stop. */
const isExpectedLate = ({ state, attempt }: Scan, event: ScanEvent): boolean =>
  state === 'waiting' || event.attempt < attempt || event.type === 'progressed' || event.type === 'cancelled'

function readEvent(message: JsMsg): ScanEvent | undefined {
  try {
    return readOutside(ScanEvent, message.json()).data
  } catch {
    return undefined
  }
}

async function apply(platform: Platform, scan: Scan, event: ScanEvent, sequence: number): Promise<void> {
  switch (event.type) {
    case 'started':
      await noteStarted(platform, scan.id, event)
      return announce(platform, scan.id)
    case 'progressed':
      return showProgress(platform, scan, event.progress)
    case 'unreadable':
      return keepUnreadable(platform, scan.id, event)
    case 'completed':
      await noteCompleted(platform, scan, { ...event, sequence })
      showProgress(platform, scan, event.progress)
      return checkScan(platform, scan.id)
    case 'failed':
      return failScan(platform, scan, event.reason)
    case 'cancelled':
      return cancelScan(platform, scan, 'the agent')
  }
}

const showProgress = (platform: Platform, { id: scanId, jobId, taskId }: Scan, progress: Progress): void =>
  platform.live({ type: 'scanProgressed', scanId, jobId, taskId, progress })

/** Records the start by the agent's clock. Later attempts only complete what the first one listed. */
async function noteStarted({ db }: Platform, scanId: number, { attempt, at }: { attempt: number; at: string }) {
  if (attempt === 1) await db.updateTable('scans').set({ walkedFrom: at }).where('id', '=', scanId).execute()
}

/** Records the announced end, unless another attempt has started. */
async function noteCompleted({ db }: Platform, { id, attempt }: Scan, event: AnnouncedScan) {
  const { total = null, used = null, free = null, fileSystem = null } = event.capacity ?? {}
  const capacity = { capacityTotal: total, capacityUsed: used, capacityFree: free, fileSystem }
  await db
    .updateTable('scans')
    .set({ announced: JSON.stringify(event), ...capacity })
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('state', '=', 'running')
    .execute()
}

async function keepUnreadable({ db }: Platform, scanId: number, { path, error }: { path: string; error: string }) {
  const { kept } = await db
    .selectFrom('scanUnreadable')
    .select(({ fn }) => fn.countAll<number>().as('kept'))
    .where('scanId', '=', scanId)
    .executeTakeFirstOrThrow()
  if (kept >= keptUnreadable) return
  await db
    .insertInto('scanUnreadable')
    .values({ scanId, path: path.replaceAll('\0', ''), error })
    .onConflict((on) => on.doNothing())
    .execute()
}
