import { scanTableName, tablesOf } from '#server/ingest/index.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { type Commit } from '#server/snapshots/commit/commit.ts'
import { lockTags, nextTagVersion } from './tagChanges.ts'

/** A commit that has switched, as far as its moves are concerned. */
type Switched = Pick<Commit, 'db' | 'clickhouse'> & {
  scan: Pick<Commit['scan'], 'id' | 'indexingDate'>
  volume: Pick<Commit['volume'], 'id'>
}

/**
 * Lets the tags of a moved entry go with it, from the scan's date on. It comes after the switch, as only then the move has
 * happened, and finds nothing more to do when it is repeated. Tags that are changed meanwhile wait, so that none stays
 * behind; until the moves are gone, nobody changes tags.
 */
export async function followMoves(commit: Switched): Promise<void> {
  const { clickhouse, scan } = commit
  const pending = await withPendingMoves(clickhouse, [scan.id])
  if (pending.includes(scan.id)) await moveTags(commit)
  await clickhouse.command(sql`DROP TABLE IF EXISTS ${tablesOf(scan.id).moves} SYNC`)
}

/** Does so for the last commit of a volume, if that was cut short before. Under the volume's lock. */
export async function followLeftMoves({ db, clickhouse }: Pick<Commit, 'db' | 'clickhouse'>, volumeId: number) {
  const scan = await db
    .selectFrom('volumes')
    .innerJoin('scans', 'scans.id', 'volumes.committedScan')
    .select(['scans.id', 'scans.indexingDate'])
    .where('volumes.id', '=', volumeId)
    .executeTakeFirst()
  if (scan) await followMoves({ db, clickhouse, scan, volume: { id: volumeId } })
}

/** Those of the scans whose moves tags have still to follow: they found some, and their table is there. */
export async function withPendingMoves(clickhouse: ClickHouse, scanIds: number[]): Promise<number[]> {
  if (scanIds.length === 0) return []
  const rows = await clickhouse.rows<{ scan: number }>(
    sql`SELECT toFloat64(extract(name, '\\d+')) AS scan FROM system.tables
      WHERE database = currentDatabase() AND name IN ${scanIds.map((id) => scanTableName('moves', id))} AND total_rows > 0`,
    { quick: true },
  )
  return rows.map(({ scan }) => scan)
}

/** What was tagged before the date is tagged here up to it, and there from it on. */
const moveTags = ({ clickhouse, db, scan, volume }: Switched): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await lockTags(trx, [volume.id])
    const version = await nextTagVersion(trx)
    await clickhouse.command(sql`
      INSERT INTO entry_tags (tag, volume, parent_path, name, is_directory, from_date, to_date, version)
      SELECT tag, ${volume.id}, place.1, place.2, is_directory, place.3, place.4, ${version}
      FROM (
        SELECT t.tag AS tag, t.is_directory AS is_directory, greatest(t.from_date, toDate(${scan.indexingDate})) AS moved,
          arrayJoin([(m.parent_path, m.name, moved, t.to_date), (t.parent_path, t.name, t.from_date, moved)]) AS place
        FROM (
          SELECT * FROM entry_tags FINAL
          WHERE volume = ${volume.id} AND to_date > ${scan.indexingDate} AND to_date > from_date
        ) AS t
        INNER JOIN ${tablesOf(scan.id).moves} AS m
          ON t.parent_path = m.from_parent_path AND t.name = m.from_name AND t.is_directory = m.is_directory)`)
  })
