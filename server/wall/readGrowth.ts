import { sql } from 'kysely'
import type { GrowthPoint } from '#events/wall.ts'
import type { Db } from '#server/platform/postgres.ts'

/** What the snapshots of the last days held, up to the newest one; oldest first. */
export function readGrowth(db: Db, days: number): Promise<GrowthPoint[]> {
  return db
    .selectFrom('snapshots')
    .innerJoin('scans', 'scans.id', 'snapshots.scanId')
    .select('snapshots.indexingDate')
    .select(sql<number>`sum(scans.bytes)::bigint`.as('sizeOfFiles'))
    .select(sql<boolean>`bool_or(scans.state = 'partial')`.as('isPartial'))
    .where('snapshots.indexingDate', '>', sql<string>`(SELECT max(indexing_date) FROM snapshots) - ${days}::integer`)
    .groupBy('snapshots.indexingDate')
    .orderBy('snapshots.indexingDate')
    .execute()
}
