import { jobPayloads } from '#events/jobs/payloads.ts'
import { jobTypeLabels } from '#events/jobs/types.ts'
import { type Source, type SourceKind, sourceOfType, sources } from '#events/sources/kinds.ts'
import { beginJob, nextNumber, queueScan, type ScanJob } from '#server/workers/jobs/index.ts'
import { today } from '#server/platform/days.ts'
import type { Actor, Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { conflict, notFound, Problem } from '#server/platform/problem.ts'
import { sourceVolumes } from '#server/scanning/sources/index.ts'
import { inTransaction } from '#server/platform/postgres/inTransaction.ts'

/** Storages to scan: of one kind by the ids that its calls use, or of any kind by the ids of their volumes. */
export type ScanRequest = {
  kind?: SourceKind
  ids: readonly number[] | 'all'
  /** The folder that the scan of a volume is limited to, from its root on: `/a/b`. By the ids of volumes. */
  paths?: Readonly<Record<number, string>>
  /** Looks only for what changed since the last scan, where a kind can do that. */
  isDeltaScan?: boolean
  cloneIndex: boolean
  by: Actor
}

/** `busy` names the storages that are being scanned, `gone` has the ids of those that are no longer set up. */
export type LaunchedScan = { jobId: number | undefined; busy: string[]; gone: number[] }

/**
 * Queues one job that scans all of the storages that can be scanned now, if there are any. Wake the followers of the
 * log after the transaction. Throws 501 for a kind that this version can't scan.
 */
export async function launchScan(trx: Trx, request: ScanRequest): Promise<LaunchedScan> {
  const { kind = 'any', ids, cloneIndex, by } = request
  const source: Source | undefined = kind === 'any' ? undefined : { kind, ...sources[kind] }
  if (source && !source.isAvailable) throw notAvailable(source)
  const found = await sourceVolumes(trx, kind, ids)
  const volumes = await lockVolumes(
    trx,
    found.map(({ volumeId }) => volumeId),
  )
  const scannable = volumes.filter(({ isBusy }) => !isBusy)
  const idOf = new Map(found.map(({ id, volumeId }) => [volumeId, id]))
  const known = new Set(volumes.map((volume) => idOf.get(volume.id)))
  const left = {
    busy: volumes.filter(({ isBusy }) => isBusy).map(({ name }) => name),
    gone: ids === 'all' ? [] : ids.filter((id) => !known.has(id)),
  }
  if (scannable.length === 0) return { jobId: undefined, ...left }
  const jobId = await nextNumber(trx, 'job_ids')
  const planned = []
  for (const volume of scannable) planned.push(await planScan(trx, volume, { ...request, jobId }))
  const job =
    source &&
    jobOf(
      source,
      scannable.map((volume) => idOf.get(volume.id) ?? 0),
      request,
    )
  await beginJob(trx, jobId, by, queueScan(jobId, planned, cloneIndex, new Date().toISOString(), job))
  return { jobId, ...left }
}

/**
 * Calls `launchScan` in a transaction of its own, for all of the storages or no storage; returns the id of the job.
 * Throws 404 for a storage that is not set up, and 409 for one that is being scanned.
 */
export async function queueScans(db: Db, request: ScanRequest): Promise<number> {
  return inTransaction(db, async (trx) => {
    const { jobId, busy, gone } = await launchScan(trx, request)
    const { one } = sources[request.kind ?? 'fileStorage']
    if (gone[0] !== undefined) notFound(one, gone[0])
    if (busy[0] !== undefined) conflict(`A scan of ${busy[0]} is already waiting or running`)
    return jobId ?? notFound(one, 0)
  })
}

const notAvailable = ({ scannedBy }: Source) =>
  new Problem(501, `${jobTypeLabels[scannedBy]} is not available in this version.`, { code: 'not-available' })

/** The job of a kind that has its own type of job. */
function jobOf(source: Source, ids: number[], { cloneIndex, isDeltaScan = false }: ScanRequest): ScanJob | undefined {
  const { scannedBy: jobType, idsName, hasDelta } = source
  if (jobType === 'SCAN_ON_PREMISES') return undefined
  const payload = jobPayloads[jobType].parse({ [idsName]: ids, cloneIndex, ...(hasDelta && { isDeltaScan }) })
  return { jobType, payload } as ScanJob
}

type Scannable = { id: number; name: string; type: string; agentId: number; isBusy: boolean }

/**
 * Locks volumes until the end of the transaction, so that no other transaction starts to scan them. Rows that reference them
 * can be written meanwhile. The order is always the same, to avoid deadlocks.
 */
async function lockVolumes(trx: Trx, ids: number[]): Promise<Scannable[]> {
  const volumes = await trx
    .selectFrom('volumes')
    .select(['id', 'name', 'type', 'agentId'])
    .where('id', 'in', [0, ...ids])
    .where('deletedAt', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const open = await trx
    .selectFrom('scans')
    .select('volumeId')
    .where('volumeId', 'in', [0, ...ids])
    .where('state', 'in', ['waiting', 'running', 'committing'])
    .execute()
  const busy = new Set(open.map(({ volumeId }) => volumeId))
  return volumes.map((volume) => ({ ...volume, isBusy: busy.has(volume.id) }))
}

async function planScan(
  trx: Trx,
  { id: volumeId, type, agentId }: Scannable,
  { jobId, cloneIndex, isDeltaScan = false, paths = {} }: ScanRequest & { jobId: number },
) {
  const taskId = await nextNumber(trx, 'task_ids')
  const scannedPath = paths[volumeId] ?? ''
  const mustBeFull = sourceOfType(type)?.hasDelta === true && !isDeltaScan
  const scan = await trx
    .insertInto('scans')
    .values({ volumeId, jobId, taskId, agentId, cloneIndex, scannedPath, mustBeFull, indexingDate: today() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { volumeId, scannedPath, serverId: agentId, taskId, scanId: scan.id }
}
