import { configuredNumber } from '#server/access/configurations/index.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { columnsSeenIn, entriesAt, snapshotColumns } from './entriesAt.ts'
import { withinScope } from './withinScope.ts'
import { endedWithin, scanOf } from './perVolume.ts'
import type { ShownVolume, Snapshot } from './snapshotAt.ts'

/**
 * The entries a snapshot lists as deleted, for use in a FROM: entries that scans of the last `deletedFilesNumberOfDays`
 * found missing and that didn't return, each in its last state; without those that returned and were moved since.
 */
export async function deletedAt(db: Db, snapshot: Snapshot): Promise<Sql> {
  const before = await scansBefore(db, snapshot)
  const first = ({ volumeId }: ShownVolume) => before.get(volumeId) ?? 0
  // Deletions from before an export was written are unknown.
  const scanned = snapshot.volumes.filter(({ imported }) => !imported)
  const ended = endedWithin(scanned, first, ({ scanId }) => scanId)
  return sql`(
    SELECT ${snapshotColumns} FROM (
      SELECT ended, ${columnsSeenIn(snapshot, sql`entry_history`)} FROM entry_history
      WHERE ended != 'changed' AND ${ended} AND ${withinScope(snapshot) ?? sql`1`} AND (volume, parent_path, name, is_directory) NOT IN (
        SELECT volume, parent_path, name, is_directory FROM ${entriesAt(snapshot)} WHERE from_scan > ${scanOf(snapshot.volumes, first)})
      ORDER BY to_scan DESC LIMIT 1 BY volume, parent_path, name, is_directory)
    WHERE ended = 'deleted')`
}

/** The last scan of each volume that is older than the limit. */
async function scansBefore(db: Db, { indexingDate, volumes }: Snapshot): Promise<Map<number, number>> {
  if (volumes.length === 0) return new Map()
  const days = await configuredNumber(db, 'deletedFilesNumberOfDays')
  const rows = await db
    .selectFrom('scans')
    .select(({ fn }) => ['volumeId', fn.max('id').as('scanId')])
    .where(
      'volumeId',
      'in',
      volumes.map(({ volumeId }) => volumeId),
    )
    .where('state', '!=', 'imported')
    .where('indexingDate', '<=', daysBefore(indexingDate, days))
    .groupBy('volumeId')
    .execute()
  return new Map(rows.map(({ volumeId, scanId }) => [volumeId, scanId]))
}

export function daysBefore(day: string, days: number): string {
  const moment = new Date(`${day}T00:00:00Z`)
  moment.setUTCDate(moment.getUTCDate() - days)
  return moment.toISOString().slice(0, 10)
}
