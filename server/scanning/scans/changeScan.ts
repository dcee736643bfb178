import { inTransaction } from '#server/platform/postgres/inTransaction.ts'
import type { Selectable, Updateable } from 'kysely'
import type { Job, JobEvent } from '#events/jobs/events.ts'
import { type Listing, listingOfType } from '#events/sources/kinds.ts'
import { scanRecord } from './scanRecord.ts'
import { changeJob } from '#server/workers/jobs/index.ts'
import { system } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { Tables } from '#server/platform/postgres/tables.ts'

export type Scan = Selectable<Tables['scans']>

export const findScan = (platform: Platform, scanId: number): Promise<Scan | undefined> =>
  platform.db.selectFrom('scans').selectAll().where('id', '=', scanId).executeTakeFirst()

/** Reads the kind of listing that a volume needs. */
export async function listingOf(db: Db, volumeId: number): Promise<Listing> {
  const { type } = await db.selectFrom('volumes').select('type').where('id', '=', volumeId).executeTakeFirstOrThrow()
  return listingOfType(type)
}

/**
 * Changes a scan's row and its job in one transaction, then notifies browsers. Changes nothing unless the scan is in
 * state `from` and there are events for its job; `now` is the locked row. As everywhere, the row is locked before the
 * log.
 */
export async function changeScan(
  platform: Platform,
  scan: Pick<Scan, 'id' | 'jobId'>,
  from: Scan['state'][],
  change: Updateable<Tables['scans']>,
  decide: (job: Job, now: Pick<Scan, 'attempt' | 'announced'>) => JobEvent[],
): Promise<boolean> {
  const changed = await inTransaction(platform.db, async (trx) => {
    const row = await trx
      .selectFrom('scans')
      .select(['attempt', 'announced'])
      .where('id', '=', scan.id)
      .where('state', 'in', from)
      .forUpdate()
      .executeTakeFirst()
    const events = row ? (await changeJob(trx, scan.jobId, system, (job) => decide(job, row))).events : []
    if (events.length > 0) await trx.updateTable('scans').set(change).where('id', '=', scan.id).execute()
    return events.length > 0
  })
  if (changed) await announce(platform, scan.id)
  return changed
}

/** Sends the state of a scan to all browsers. */
export async function announce(platform: Platform, scanId: number): Promise<void> {
  const scan = await scanRecord(platform.db, scanId)
  if (scan) platform.live({ type: 'scanChanged', scan })
}
