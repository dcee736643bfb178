import { streamNames } from '#events/streams.ts'
import type { ScannerClass, ScheduleDraft } from '#events/schedules/calls.ts'
import { fileStorageTypes } from '#events/sources/fileStorages.ts'
import { type Source, sourceScheduledBy } from '#events/sources/kinds.ts'
import { spoken } from '#server/alerts/index.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { ScanJob } from '#server/jobs/index.ts'
import { queueScansIn, sortByFree } from '#server/scans/index.ts'
import { volumesOfBuckets } from '#server/sources/index.ts'
import type { Outcome } from './recordRun.ts'
import { draftOf, type ScheduleRow } from './scheduleRow.ts'

/** Queues the scans that a schedule starts now. A storage that a scan has already is left out. */
export async function startScans(trx: Trx, schedule: ScheduleRow): Promise<Outcome> {
  const draft = draftOf(schedule)
  const source = sourceScheduledBy(draft.jobClass as ScannerClass)
  if (source && !source.isAvailable) return withoutThem(draft, source)
  const buckets = await wantedBuckets(trx, draft)
  const wanted = buckets?.map(({ volumeId }) => volumeId) ?? (await wantedVolumes(trx, draft))
  const missing = buckets ? missingOf(draft, buckets) : []
  if (wanted.length + missing.length === 0)
    return { outcome: 'nothing', reason: `There is no ${source?.one ?? 'storage'} to scan` }
  const { free, busy, gone } = await sortByFree(trx, wanted)
  const reason = leftOut(busy, [...gone, ...missing])
  if (free.length > 0) {
    const by = { name: streamNames.schedule(schedule.id), address: null }
    const cloneIndex = cloneIndexOf(draft)
    const job =
      buckets &&
      jobOf(
        buckets.filter(({ volumeId }) => free.includes(volumeId)),
        cloneIndex,
      )
    const order = { volumeIds: free, cloneIndex, paths: pathsOf(draft), by, ...(job && { job }) }
    return { outcome: 'started', jobId: await queueScansIn(trx, order), reason: reason && `Left out: ${reason}` }
  }
  return busy.length > 0
    ? { outcome: 'skipped', reason: `There is nothing left to scan: ${reason}` }
    : { outcome: 'failed', reason: `There is nothing left to scan: ${reason}` }
}

function withoutThem({ jobClass }: ScheduleDraft, { scheduledBy: [all], plural }: Source): Outcome {
  const outcome = jobClass === all ? 'nothing' : 'failed'
  return { outcome, reason: `Scanning ${plural} is not available in this version.` }
}

type Bucket = { id: number; volumeId: number }

/** The buckets that a schedule scans; undefined for one of something else. */
async function wantedBuckets(trx: Trx, { jobClass, payload }: ScheduleDraft): Promise<Bucket[] | undefined> {
  if (jobClass === 'SCAN_BUCKETS') return volumesOfBuckets(trx, payload.bucketsId)
  return jobClass === 'SCAN_ALL_BUCKETS' ? volumesOfBuckets(trx) : undefined
}

/** The buckets that a schedule names and that are not set up any more. */
const missingOf = ({ jobClass, payload }: ScheduleDraft, known: Bucket[]): number[] =>
  jobClass === 'SCAN_BUCKETS' ? payload.bucketsId.filter((id) => !known.some((bucket) => bucket.id === id)) : []

const jobOf = (buckets: Bucket[], cloneIndex: boolean): ScanJob => ({
  jobType: 'SCAN_CLOUD',
  payload: { bucketsId: buckets.map(({ id }) => id), cloneIndex },
})

async function wantedVolumes(trx: Trx, { jobClass, payload }: ScheduleDraft): Promise<number[]> {
  if (jobClass === 'SCAN_VOLUMES') return payload.volumes
  if (jobClass === 'SCAN_STORAGES') return Object.keys(payload.storageIdToPath).map(Number)
  const volumes = await trx
    .selectFrom('volumes')
    .select('id')
    .where('deletedAt', 'is', null)
    .$if(jobClass === 'SCAN_ALL_VOLUMES', (all) => all.where('type', 'in', fileStorageTypes))
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
    ...(gone.length > 0 ? [`${spoken(gone.map(String))} (no longer set up)`] : []),
  ]
  return reasons.length > 0 ? reasons.join('; ') : undefined
}
