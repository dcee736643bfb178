import { hiddenTagPrefix, type Tagged } from '#events/tags.ts'
import { folderOf, nameOf, piecesOf } from '#server/entries/index.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { type Sql, sql, typed } from '#server/platform/sql.ts'
import type { Period } from './planTags.ts'

/** What an entry of a selection is told by. */
export const keyOf = ({ volumeId, path, isDirectory }: Tagged): string => `${volumeId}:${isDirectory}:${path}`

/** Whether a row is one of these entries. */
const isOneOf = (entries: Tagged[]): Sql => sql`
  (volume, parent_path, name, is_directory) IN (
    SELECT place.1, place.2, place.3, place.4 FROM (SELECT arrayJoin(arrayZip(
      ${typed(
        entries.map(({ volumeId }) => volumeId),
        'Array(UInt32)',
      )},
      ${entries.map(({ path }) => folderOf(path))}, ${entries.map(({ path }) => nameOf(path))},
      ${entries.map(({ isDirectory }) => isDirectory)})) AS place))`

const key = sql`volume AS volumeId, concat(parent_path, name) AS path, is_directory AS isDirectory`

/** The rows of a question that are these entries, however many they are. */
export async function rowsOf<Row>(
  clickhouse: ClickHouse,
  entries: Tagged[],
  { columns, from, where }: { columns: Sql; from: Sql; where: Sql },
): Promise<(Tagged & Row)[]> {
  const rows: (Tagged & Row)[] = []
  for (const piece of piecesOf(entries, ({ path }) => path))
    rows.push(
      ...(await clickhouse.rows<Tagged & Row>(
        sql`SELECT ${key}, ${columns} FROM ${from} WHERE ${isOneOf(piece)} AND ${where}`,
      )),
    )
  return rows
}

/** The tags that users see and that entries have on a day or after it, by the keys of the entries. */
export async function readPeriods(
  clickhouse: ClickHouse,
  entries: Tagged[],
  day: string,
): Promise<Map<string, Period[]>> {
  const rows = await rowsOf<Period>(clickhouse, entries, {
    columns: sql`tag, toString(from_date) AS from, toString(to_date) AS to`,
    from: sql`entry_tags FINAL`,
    where: sql`to_date > ${day} AND NOT startsWith(tag, ${hiddenTagPrefix})`,
  })
  return Map.groupBy(rows, keyOf)
}
