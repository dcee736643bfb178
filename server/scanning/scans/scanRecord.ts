import { sql } from 'kysely'
import type { ScanRecord } from '#events/scans/calls.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import { type Scope, showsStorage } from '#server/platform/callers/scope.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'

/** Number of scans on the dashboard. */
const shown = 25

/** A scan as shown in lists and on the dashboard. */
export async function scanRecord(db: Db | Trx, scanId: number): Promise<ScanRecord | undefined> {
  const row = await selectScans(db).where('scans.id', '=', scanId).executeTakeFirst()
  return row && asRecord(row)
}

/**
 * The latest scans, running ones first, then the newest; with a day, those that made its snapshot or an older one. Only scans
 * of storages that the scope shows as a whole.
 */
export async function listScans(db: Db, scope: Scope, date?: string): Promise<ScanRecord[]> {
  const rows = await selectScans(db)
    .where(showsStorage(scope, sql`volumes.id`))
    .$if(date !== undefined, (query) => query.where('scans.indexingDate', '<=', date ?? ''))
    .orderBy(sql`scans.state IN ('waiting', 'running', 'committing')`, 'desc')
    .orderBy('scans.id', 'desc')
    .limit(shown)
    .execute()
  return rows.map(asRecord)
}

const selectScans = (db: Db | Trx) =>
  db
    .selectFrom('scans')
    .innerJoin('volumes', 'volumes.id', 'scans.volumeId')
    .where('state', '!=', 'imported')
    .select(['scans.id as scanId', 'jobId', 'volumeId', 'volumes.name as volumeName', 'scans.indexingDate'])
    .select(sql<ScanRecord['state']>`scans.state`.as('state'))
    .select(['startedAt', 'finishedAt', 'files', 'folders', 'bytes', 'unreadable', 'reason'])

type Row = Awaited<ReturnType<ReturnType<typeof selectScans>['execute']>>[number]

const asRecord = ({ startedAt, finishedAt, ...row }: Row): ScanRecord => ({
  ...row,
  startedAt: startedAt?.toISOString() ?? null,
  finishedAt: finishedAt?.toISOString() ?? null,
  crawlDuration: crawlDuration(row.state, startedAt, finishedAt),
  progress: null,
})

/** Milliseconds; null while it is running, -1 if it didn't finish. */
function crawlDuration(state: Row['state'], startedAt: Date | null, finishedAt: Date | null): number | null {
  if (state === 'failed' || state === 'cancelled') return -1
  if (state !== 'done' && state !== 'partial') return null
  return startedAt && finishedAt ? finishedAt.getTime() - startedAt.getTime() : -1
}
