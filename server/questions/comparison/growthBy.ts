import { rowsBefore } from '#server/platform/crud/listPage.ts'
import type { Growth, growthFields } from '#events/comparison.ts'
import type { PageQuery } from '#events/contract/page.ts'
import { childrenOf, isFolder } from '#server/content/entries/conditions.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { invalid } from '#server/platform/problem.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { entriesAt } from '#server/content/snapshots/reading/entriesAt.ts'
import type { Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import type { ComparedSnapshots } from './comparedVolumes.ts'
import { oneSided, weighed } from './oneSided.ts'

type Query = PageQuery & { path: string; by: (typeof growthFields)[number] }
type Row = { value: string; isUnrecorded: boolean; bytes: number; count: number; volumeId: number; path: string }

/** A page of a folder's parts that grew or shrank. */
export async function growthBy(clickhouse: ClickHouse, compared: ComparedSnapshots, query: Query) {
  const { page, size, sort = 'growth', direction = query.sort ? 'asc' : 'desc', by, path } = query
  if (sort !== 'growth') return invalid('sort', 'must be growth')
  const groups = by === 'folder' ? bySubfolder(compared, path) : byField(compared, path, fields[by])
  const order = direction === 'asc' ? sql`bytes ASC, count ASC` : sql`bytes DESC, count DESC`
  const { rows, total } = await clickhouse.limited<Row>(
    sql`SELECT * FROM ${groups} ORDER BY ${order}, value, volumeId LIMIT ${size} OFFSET ${rowsBefore({ page, size })}`,
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

const asGrowth = ({ value, isUnrecorded, bytes, count, volumeId, path }: Row): Growth => ({
  field: value,
  isUnrecorded,
  growth: bytes,
  filesGrowth: count,
  volumeId: volumeId || null,
  path: path || null,
})

const byField = (compared: ComparedSnapshots, folder: string, field: Sql): Sql => sql`(
  SELECT value, isUnrecorded, toFloat64(sum(toInt128(weighed))) AS bytes, sum(weight) AS count, 0 AS volumeId, '' AS path
  FROM (${oneSided(
    compared,
    folder,
    (sign) => sql`
    if(is_directory, '', ${field}) AS value, is_directory AS isUnrecorded, ${weighed(sign)}`,
  )})
  GROUP BY value, isUnrecorded HAVING bytes != 0 OR count != 0)`

/** A subfolder's row includes everything below it; the files directly in the folder, recorded or not, are summed up. */
const bySubfolder = ({ previous, now }: ComparedSnapshots, folder: string): Sql => sql`(
  SELECT value, false AS isUnrecorded, toFloat64(sum(toInt128(weighed))) AS bytes, sum(weight) AS count, volumeId,
    if(value = '', ${folder}, concat(${childrenOf(folder)}, value)) AS path
  FROM (${childrenAt(now, folder, 1)} UNION ALL ${childrenAt(previous, folder, -1)})
  GROUP BY value, volumeId HAVING bytes != 0 OR count != 0)`

const childrenAt = (snapshot: Snapshot, folder: string, sign: 1 | -1): Sql => sql`
  SELECT if(is_directory, name, '') AS value, volume AS volumeId,
    toInt64(${sign}) * if(is_directory, toInt64(files), 1) AS weight, toInt64(${sign}) * greatest(size, 0) AS weighed
  FROM ${entriesAt(snapshot)} WHERE parent_path = ${childrenOf(folder)}
  UNION ALL
  SELECT '' AS value, volume AS volumeId, ${weighed(sign)}
  FROM ${entriesAt(snapshot)} WHERE ${isFolder(folder)}`
