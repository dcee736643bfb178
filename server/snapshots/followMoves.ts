import { type Sql, sql } from '#server/platform/sql.ts'
import { type Commit, tablesOf } from './commit.ts'

/** The number of an entry: the same on every date, another one after a move. */
const fileId = (volume: number, parent: Sql, name: Sql): Sql =>
  sql`sipHash64(toUInt32(${volume}), ${parent}, ${name}, is_directory)`

/**
 * Lets the tags of a moved entry go with it, from the scan's date on. It comes after the switch, as only then the move has
 * happened, and finds nothing more to do when it is repeated.
 */
export async function followMoves({ clickhouse, scan, volume }: Commit): Promise<void> {
  const { moves } = tablesOf(scan.id)
  const { there } = await clickhouse.one<{ there: number }>(sql`
    SELECT toFloat64(count()) AS there FROM system.tables
    WHERE database = currentDatabase() AND name = ${`moves_${scan.id}`}`)
  if (there === 0) return
  const day = sql`toDate(${scan.indexingDate})`
  await clickhouse.command(sql`
    INSERT INTO entry_tags (volume, file_id, tag, from_date, to_date, version)
    SELECT volume, row.1, tag, row.2, row.3, version + row.4
    FROM (
      SELECT volume, tag, version, arrayJoin([
        (${fileId(volume.id, sql`parent_path`, sql`name`)}, ${day}, to_date, 0), (t.file_id, from_date, ${day}, 1)]) AS row
      FROM (SELECT * FROM entry_tags FINAL WHERE volume = ${volume.id}) AS t
      INNER JOIN (
        SELECT *, ${fileId(volume.id, sql`from_parent_path`, sql`from_name`)} AS file_id FROM ${moves}
      ) AS m ON t.file_id = m.file_id
      WHERE from_date <= ${day} AND to_date > ${day})`)
}
