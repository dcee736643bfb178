import { beginJob, nextNumber, queueScan } from '#server/jobs/index.ts'
import { today } from '#server/platform/days.ts'
import { type Actor, type Trx } from '#server/platform/eventLog.ts'
import { wakeFollowers } from '#server/platform/follow.ts'
import type { Db } from '#server/platform/postgres.ts'
import { conflict, notFound } from '#server/platform/problem.ts'

type Order = { volumeIds: number[]; cloneIndex: boolean; by: Actor }
type Found = { id: number; name: string; agentId: number }

/** Queues one job that scans the volumes, and returns its number. A volume is scanned by one scan at a time. */
export async function queueScans(db: Db, { volumeIds, cloneIndex, by }: Order): Promise<number> {
  const jobId = await db.transaction().execute(async (trx) => {
    const volumes = await findVolumes(trx, [...new Set(volumeIds)])
    const jobId = await nextNumber(trx, 'job_ids')
    const planned = []
    for (const volume of volumes) planned.push(await planScan(trx, jobId, volume, cloneIndex))
    await beginJob(trx, jobId, by, queueScan(jobId, planned, cloneIndex, new Date().toISOString()))
    return jobId
  })
  wakeFollowers()
  return jobId
}

async function findVolumes(trx: Trx, ids: number[]): Promise<Found[]> {
  const volumes = await trx
    .selectFrom('volumes')
    .select(['id', 'name', 'agentId'])
    .where('id', 'in', ids)
    .where('deletedAt', 'is', null)
    .forUpdate()
    .execute()
  const missing = ids.find((id) => !volumes.some((volume) => volume.id === id))
  return missing === undefined ? volumes : notFound('file storage', missing)
}

async function planScan(trx: Trx, jobId: number, volume: Found, cloneIndex: boolean) {
  const taskId = await nextNumber(trx, 'task_ids')
  const scan = await trx
    .insertInto('scans')
    .values({ volumeId: volume.id, jobId, taskId, agentId: volume.agentId, cloneIndex, indexingDate: today() })
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!scan) conflict(`A scan of ${volume.name} is already waiting or running`)
  return { volumeId: volume.id, serverId: volume.agentId, taskId, scanId: scan.id }
}
