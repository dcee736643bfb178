import type { Growth, growthFields } from '#events/comparison.ts'
import type { PageQuery } from '#events/page.ts'
import { below, childrenOf } from '#server/entries/index.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { invalid } from '#server/platform/problem.ts'
import { type Sql, sql } from '#server/platform/sql.ts'
import { entriesAt, type Snapshot } from '#server/snapshots/index.ts'
import type { Compared } from './comparedVolumes.ts'
import { begunBetween, endedBetween, isBefore } from './versions.ts'

type Asked = PageQuery & { path: string; by: (typeof growthFields)[number] }
type Row = { value: string; bytes: number; count: number; volumeId: number; path: string }

/** A page of the parts of a folder that grew or shrank. */
export async function growthBy(clickhouse: ClickHouse, compared: Compared, asked: Asked) {
  const { page, size, sort = 'growth', direction = asked.sort ? 'asc' : 'desc', by, path } = asked
  if (sort !== 'growth') return invalid('sort', 'must be growth')
  const groups = by === 'folder' ? bySubfolder(compared, path) : byField(compared, path, fields[by])
  const order = direction === 'asc' ? sql`bytes ASC, count ASC` : sql`bytes DESC, count DESC`
  const { rows, total } = await clickhouse.limited<Row>(
    sql`SELECT * FROM ${groups} ORDER BY ${order}, value, volumeId LIMIT ${size} OFFSET ${(page - 1) * size}`,
    { heavy: by !== 'folder' && path === '/' },
  )
  return {
    elements: rows.map(asGrowth),
    page,
    total,
    size,
    sort,
    direction,
    indexingDate: compared.now.indexingDate || null,
    previousIndexingDate: compared.previous.indexingDate || null,
  }
}

const fields = { owner: sql`owner`, extension: sql`extension` }

const asGrowth = ({ value, bytes, count, volumeId, path }: Row): Growth => ({
  field: value,
  growth: bytes,
  filesGrowth: count,
  volumeId: volumeId || null,
  path: path || null,
})

/** Rows of a side, counted for or against; unknown sizes add nothing. */
const weighed = (sign: 1 | -1): Sql => sql`toInt64(${sign}) AS weight, greatest(size, 0) * weight AS weighed`

/** Only versions that one of the dates does not show can make a difference. */
const byField = ({ rescanned, came, left }: Compared, folder: string, field: Sql): Sql => sql`(
  SELECT value, sum(weighed) AS bytes, sum(weight) AS count, 0 AS volumeId, '' AS path
  FROM (
    SELECT value, weighed, weight FROM (
      ${begunBetween(rescanned, sql`${field} AS value, is_directory AS is_folder, ${weighed(1)}`, below(folder))}
      UNION ALL
      SELECT ${field} AS value, is_directory AS is_folder, ${weighed(-1)} FROM entry_history
      WHERE ${endedBetween(rescanned)} AND ${isBefore(rescanned)} AND ${below(folder)}
      UNION ALL
      SELECT ${field} AS value, is_directory AS is_folder, ${weighed(1)} FROM ${entriesAt(came)} WHERE ${below(folder)}
      UNION ALL
      SELECT ${field} AS value, is_directory AS is_folder, ${weighed(-1)} FROM ${entriesAt(left)} WHERE ${below(folder)})
    WHERE NOT is_folder)
  GROUP BY value HAVING bytes != 0 OR count != 0)`

/** A folder's row has all that is below it; the files directly in the folder asked for are added up. */
const bySubfolder = ({ previous, now }: Compared, folder: string): Sql => sql`(
  SELECT value, sum(weighed) AS bytes, sum(weight * count_of) AS count, volumeId,
    if(value = '', ${folder}, concat(${childrenOf(folder)}, value)) AS path
  FROM (${childrenAt(now, folder, 1)} UNION ALL ${childrenAt(previous, folder, -1)})
  GROUP BY value, volumeId HAVING bytes != 0 OR count != 0)`

const childrenAt = (snapshot: Snapshot, folder: string, sign: 1 | -1): Sql => sql`
  SELECT if(is_directory, name, '') AS value, volume AS volumeId, if(is_directory, toInt64(files), 1) AS count_of,
    ${weighed(sign)}
  FROM ${entriesAt(snapshot)} WHERE parent_path = ${childrenOf(folder)}`
