import { beginJob, nextNumber, queueScan, type ScanJob } from '#server/jobs/index.ts'
import { today } from '#server/platform/days.ts'
import { type Actor, type Trx } from '#server/platform/log/eventLog.ts'
import { wakeFollowers } from '#server/platform/log/follow.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { conflict, notFound } from '#server/platform/problem.ts'
import { type Found, lockVolumes } from './sortByFree.ts'

type Order = {
  volumeIds: number[]
  cloneIndex: boolean
  by: Actor
  /** The folder that a scan is limited to, by volume, from its root on: `/a/b`. */
  paths?: Readonly<Record<number, string>>
  /** What the job is as a whole; a scan of file storages unless told. */
  job?: ScanJob
}

/** Queues one job that scans the volumes, and returns its number. A volume is scanned by one scan at a time. */
export async function queueScans(db: Db, order: Order): Promise<number> {
  const jobId = await db.transaction().execute((trx) => queueScansIn(trx, order))
  wakeFollowers()
  return jobId
}

/** The same in the caller's transaction; wake the followers of the log when that is over. */
export async function queueScansIn(trx: Trx, { volumeIds, cloneIndex, by, paths = {}, job }: Order): Promise<number> {
  const volumes = await findVolumes(trx, [...new Set(volumeIds)])
  const jobId = await nextNumber(trx, 'job_ids')
  const planned = []
  for (const volume of volumes) planned.push(await planScan(trx, jobId, volume, cloneIndex, paths[volume.id] ?? ''))
  await beginJob(trx, jobId, by, queueScan(jobId, planned, cloneIndex, new Date().toISOString(), job))
  return jobId
}

async function findVolumes(trx: Trx, ids: number[]): Promise<Found[]> {
  const volumes = await lockVolumes(trx, ids)
  const missing = ids.find((id) => !volumes.some((volume) => volume.id === id))
  return missing === undefined ? volumes : notFound('file storage', missing)
}

async function planScan(trx: Trx, jobId: number, volume: Found, cloneIndex: boolean, scannedPath: string) {
  const taskId = await nextNumber(trx, 'task_ids')
  const scan = await trx
    .insertInto('scans')
    .values({
      volumeId: volume.id,
      jobId,
      taskId,
      agentId: volume.agentId,
      cloneIndex,
      scannedPath,
      indexingDate: today(),
    })
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!scan) conflict(`A scan of ${volume.name} is already waiting or running`)
  return { volumeId: volume.id, scannedPath, serverId: volume.agentId, taskId, scanId: scan.id }
}
