import type { ScannerClass, ScheduleDraft } from '#events/schedules.ts'
import { spoken } from '#server/alerts/index.ts'
import type { Trx } from '#server/platform/eventLog.ts'
import { queueScansIn, sortByFree } from '#server/scans/index.ts'
import type { Outcome } from './recordRun.ts'
import { draftOf, type ScheduleRow, streamOf } from './scheduleRow.ts'

/** What of the product a class needs that this version has not. */
const absent: Partial<Record<ScannerClass, string>> = {
  SCAN_ALL_BUCKETS: 'object storages',
  SCAN_BUCKETS: 'object storages',
  SCAN_ALL_DELL_POWER_SCALES: 'Dell PowerScale storages',
  SCAN_DELL_POWER_SCALES: 'Dell PowerScale storages',
  SCAN_ALL_ARCHIWARES: 'Archiware indexes',
  SCAN_ARCHIWARES: 'Archiware indexes',
}

/** Queues the scans that a schedule starts now. A storage that a scan has already is left out. */
export async function startScans(trx: Trx, schedule: ScheduleRow): Promise<Outcome> {
  const draft = draftOf(schedule)
  const missing = absent[draft.jobClass as ScannerClass]
  if (missing !== undefined) return withoutThem(draft, missing)
  const wanted = await wantedVolumes(trx, draft)
  if (wanted.length === 0) return { outcome: 'nothing', reason: 'There is no file storage to scan' }
  const { free, busy, gone } = await sortByFree(trx, wanted)
  const reason = leftOut(busy, gone)
  if (free.length > 0) {
    const by = { name: streamOf(schedule.id), address: null }
    const order = { volumeIds: free, cloneIndex: cloneIndexOf(draft), paths: pathsOf(draft), by }
    return { outcome: 'started', jobId: await queueScansIn(trx, order), reason: reason && `Left out: ${reason}` }
  }
  return busy.length > 0
    ? { outcome: 'skipped', reason: `Nothing is left to scan: ${reason}` }
    : { outcome: 'failed', reason: `Nothing is left to scan: ${reason}` }
}

function withoutThem({ jobClass }: ScheduleDraft, what: string): Outcome {
  const outcome = jobClass.startsWith('SCAN_ALL_') ? 'nothing' : 'failed'
  return { outcome, reason: `Scanning ${what} is not available in this version.` }
}

async function wantedVolumes(trx: Trx, { jobClass, payload }: ScheduleDraft): Promise<number[]> {
  if (jobClass === 'SCAN_VOLUMES') return payload.volumes
  if (jobClass === 'SCAN_STORAGES') return Object.keys(payload.storageIdToPath).map(Number)
  const volumes = await trx
    .selectFrom('volumes')
    .select('id')
    .where('deletedAt', 'is', null)
    .$if(jobClass === 'SCAN_SERVER', (all) =>
      all.where('agentId', '=', jobClass === 'SCAN_SERVER' ? payload.serverId : 0),
    )
    .execute()
  return volumes.map(({ id }) => id)
}

const cloneIndexOf = ({ payload }: ScheduleDraft): boolean => !('cloneIndex' in payload) || payload.cloneIndex

const pathsOf = ({ jobClass, payload }: ScheduleDraft): Record<string, string> =>
  jobClass === 'SCAN_STORAGES' ? payload.storageIdToPath : {}

function leftOut(busy: string[], gone: number[]): string | undefined {
  const reasons = [
    ...(busy.length > 0 ? [`${spoken(busy)} (still being scanned)`] : []),
    ...(gone.length > 0 ? [`${spoken(gone.map(String))} (not set up any more)`] : []),
  ]
  return reasons.length > 0 ? reasons.join('; ') : undefined
}
