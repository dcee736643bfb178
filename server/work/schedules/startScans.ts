import { z } from 'zod'
import type { ScannerClass, ScheduleDraft } from '#events/schedules/calls.ts'
import { type Source, sourceScheduledBy } from '#events/sources/kinds.ts'
import { joinNames } from '#server/platform/joinNames.ts'
import type { Actor, Trx } from '#server/platform/log/eventLog.ts'
import { launchScan, type ScanRequest } from '#server/scanning/scans/index.ts'
import type { Outcome } from './recordRun.ts'
import { draftOf, type ScheduleRow } from './scheduleRow.ts'

/** Queues the scans of a schedule. Storages that are being scanned are left out. */
export async function startScans(trx: Trx, schedule: ScheduleRow, by: Actor): Promise<Outcome> {
  const draft = draftOf(schedule)
  const agent = draft.jobClass === 'SCAN_SERVER' ? await deletedAgent(trx, draft.payload.serverId) : undefined
  if (agent) return { outcome: 'failed', reason: `Agent ${agent.name} was deleted. Choose another agent.` }
  const source = sourceScheduledBy(draft.jobClass as ScannerClass)
  if (source && !source.isAvailable) return notAvailable(draft, source)
  const request = { ...(await scannedBy(trx, draft)), ...optionsOf(draft), by }
  const { jobId, busy, gone } = await launchScan(trx, request)
  const reason = leftOut(busy, gone)
  if (jobId !== undefined) return { outcome: 'started', jobId, reason: reason && `Left out: ${reason}` }
  if (reason === undefined) return { outcome: 'nothing', reason: `There is no ${source?.one ?? 'storage'} to scan` }
  return {
    outcome: busy.length > 0 ? 'skipped' : 'failed',
    reason: `There is nothing left to scan: ${reason}`,
  }
}

function notAvailable({ jobClass }: ScheduleDraft, { scheduledBy: [all], plural }: Source): Outcome {
  const outcome = jobClass === all ? 'nothing' : 'failed'
  return { outcome, reason: `Scanning ${plural} is not available in this version.` }
}

const deletedAgent = (trx: Trx, id: number) =>
  trx.selectFrom('agents').select('name').where('id', '=', id).where('deletedAt', 'is not', null).executeTakeFirst()

type Storages = Pick<ScanRequest, 'kind' | 'ids' | 'paths'>

/** The storages that a schedule scans, by the ids that its kind of source uses. */
export async function scannedBy(trx: Trx, { jobClass, payload }: ScheduleDraft): Promise<Storages> {
  const source = sourceScheduledBy(jobClass as ScannerClass)
  if (jobClass === 'SCAN_STORAGES')
    return { ids: Object.keys(payload.storageIdToPath).map(Number), paths: payload.storageIdToPath }
  if (jobClass === 'SCAN_SERVER') return { ids: await volumesOfAgent(trx, payload.serverId) }
  if (!source) return { ids: 'all' }
  const [all] = source.scheduledBy
  return { kind: source.kind, ids: jobClass === all ? 'all' : namedIds(payload, source) }
}

const namedIds = (payload: object, { idsName }: Source): number[] =>
  z.array(z.int()).parse((payload as Record<string, unknown>)[idsName])

async function volumesOfAgent(trx: Trx, agentId: number): Promise<number[]> {
  const volumes = await trx
    .selectFrom('volumes')
    .select('id')
    .where('deletedAt', 'is', null)
    .where('agentId', '=', agentId)
    .execute()
  return volumes.map(({ id }) => id)
}

const optionsOf = ({ payload }: ScheduleDraft) => ({
  cloneIndex: !('cloneIndex' in payload) || payload.cloneIndex,
  isDeltaScan: 'isDeltaScan' in payload && payload.isDeltaScan,
})

function leftOut(busy: string[], gone: number[]): string | undefined {
  const reasons = [
    ...(busy.length > 0 ? [`${joinNames(busy)} (still being scanned)`] : []),
    ...(gone.length > 0 ? [`${joinNames(gone.map(String))} (no longer set up)`] : []),
  ]
  return reasons.length > 0 ? reasons.join('; ') : undefined
}
