import { scanTableName, tablesOf } from '#server/workers/ingest/index.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { dropTable, insertInto } from '#server/platform/clickhouse/statements.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { nextTagVersion, tagColumns } from './tagChanges.ts'
import { lockTags } from '#server/content/snapshots/locks.ts'

/** `db` is the connection that holds the locks. */
type Stores = { db: Db; clickhouse: ClickHouse }

/** The parts of a switched commit that concern its moves. */
type SwitchedCommit = Stores & { scan: { id: number; indexingDate: string }; volume: { id: number } }

/**
 * Moves the tags of moved entries with them, from the scan's date on. Runs after the switch, because the move is
 * visible only then, and does nothing when repeated. Concurrent tag changes wait, so none is left behind; no one
 * changes tags until this is done.
 */
export async function followMoves(commit: SwitchedCommit): Promise<void> {
  const { clickhouse, scan } = commit
  const pending = await withPendingMoves(clickhouse, [scan.id])
  if (pending.length === 0) return
  await moveTags(commit)
  await clickhouse.command(dropTable(tablesOf(scan.id).moves))
}

/** Same for the last commit of a volume, if that was interrupted. Requires the volume's lock. */
export async function followLeftMoves({ db, clickhouse }: Stores, volumeId: number) {
  const scan = await db
    .selectFrom('volumes')
    .innerJoin('scans', 'scans.id', 'volumes.committedScan')
    .select(['scans.id', 'scans.indexingDate'])
    .where('volumes.id', '=', volumeId)
    .executeTakeFirst()
  if (scan) await followMoves({ db, clickhouse, scan, volume: { id: volumeId } })
}

/** The scans with moves that tags haven't followed: their table of moves still exists. */
export async function withPendingMoves(clickhouse: ClickHouse, scanIds: number[]): Promise<number[]> {
  if (scanIds.length === 0) return []
  const { ofShards, storedTable } = clickhouse.system
  const rows = await clickhouse.rows<{ scan: number }>(
    sql`SELECT DISTINCT toFloat64(extract(name, '\\d+')) AS scan FROM ${ofShards('tables')}
      WHERE database = currentDatabase() AND name IN ${scanIds.map((id) => storedTable(scanTableName('moves', id)))} AND total_rows > 0`,
    { quick: true },
  )
  return rows.map(({ scan }) => scan)
}

/** Tags from before the date end here on the date, and continue at the new place from then on. */
const moveTags = ({ clickhouse, db, scan, volume }: SwitchedCommit): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await lockTags(trx, [volume.id])
    const version = await nextTagVersion(trx)
    const rows = sql`
      SELECT tag, ${volume.id}, place.1, place.2, is_directory, place.3, place.4, ${version}
      FROM (
        SELECT t.tag AS tag, t.is_directory AS is_directory, greatest(t.from_date, toDate(${scan.indexingDate})) AS moved,
          arrayJoin([(m.parent_path, m.name, moved, t.to_date), (t.parent_path, t.name, t.from_date, moved)]) AS place
        FROM (
          SELECT * FROM entry_tags FINAL
          WHERE volume = ${volume.id} AND to_date > ${scan.indexingDate} AND to_date > from_date
        ) AS t
        INNER JOIN ${tablesOf(scan.id).moves} AS m
          ON t.parent_path = m.from_parent_path AND t.name = m.from_name AND t.is_directory = m.is_directory)`
    await clickhouse.command(insertInto('entry_tags', rows, tagColumns))
  })
