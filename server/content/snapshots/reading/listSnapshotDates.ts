import { sql } from 'kysely'
import type { SnapshotDate } from '#events/snapshots.ts'
import { type Scope, showsScan } from '#server/platform/callers/scope.ts'
import { importsOfDate, isPartial, withImports } from './imported.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'

/** The days with snapshots in the scope, newest first. */
export async function listSnapshotDates(db: Db, scope: Scope): Promise<SnapshotDate[]> {
  const rows = await db
    .selectFrom('snapshots')
    .innerJoin('scans', 'scans.id', 'snapshots.scanId')
    .select(['snapshots.indexingDate', ({ fn }) => fn.countAll<number>().as('volumes')])
    .select(sql<boolean>`bool_or(${isPartial})`.as('isPartial'))
    .where(showsScan(scope, sql`scans.volume_id`, sql`scans.id`))
    .select(importsOfDate)
    .groupBy('snapshots.indexingDate')
    .orderBy('snapshots.indexingDate', 'desc')
    .execute()
  return rows.map(withImports)
}
