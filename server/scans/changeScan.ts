import type { Selectable, Updateable } from 'kysely'
import type { Job, JobEvent } from '#events/jobs.ts'
import { scanRecord } from '#server/dashboard/index.ts'
import { changeJob } from '#server/jobs/index.ts'
import { system } from '#server/platform/eventLog.ts'
import { wakeFollowers } from '#server/platform/follow.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Tables } from '#server/platform/tables.ts'

export type Scan = Selectable<Tables['scans']>

export const findScan = (platform: Platform, scanId: number): Promise<Scan | undefined> =>
  platform.db.selectFrom('scans').selectAll().where('id', '=', scanId).executeTakeFirst()

/** Changes a scan's row and its job in one transaction, if `from` still is its state, and tells the browsers. */
export async function changeScan(
  platform: Platform,
  scan: Pick<Scan, 'id' | 'jobId'>,
  from: Scan['state'][],
  change: Updateable<Tables['scans']>,
  decide: (job: Job) => JobEvent[],
): Promise<boolean> {
  const changed = await platform.db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable('scans')
      .set(change)
      .where('id', '=', scan.id)
      .where('state', 'in', from)
      .returning('id')
      .executeTakeFirst()
    if (row) await changeJob(trx, scan.jobId, system, decide)
    return row !== undefined
  })
  if (changed) await announce(platform, scan.id)
  return changed
}

/** Tells every browser how a scan stands. */
export async function announce(platform: Platform, scanId: number): Promise<void> {
  wakeFollowers()
  const scan = await scanRecord(platform.db, scanId)
  if (scan) platform.live({ type: 'scanChanged', scan })
}
