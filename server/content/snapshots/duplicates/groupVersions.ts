import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { type Sql, sql, typed } from '#server/platform/clickhouse/sql.ts'
import { insertFrom } from '#server/platform/clickhouse/largeTables.ts'

/** Condition: a row of `duplicate_groups` is of one of these versions. */
export const inVersions = (versions: readonly number[]): Sql => sql`version IN ${typed(versions, 'Array(UInt64)')}`

/** The groups of some versions: the newest row of each hash counts. All hashes, or some. */
export const groupsAt = (versions: readonly number[], condition: Sql = sql`1`): Sql => sql`
  (SELECT hash, argMax(is_directory, version) AS is_directory, argMax(copies, version) AS copies,
     argMax(bytes, version) AS bytes
   FROM duplicate_groups WHERE ${inVersions(versions)} AND ${condition} GROUP BY hash HAVING copies > 1)`

/** Number of rows of each version that has any. */
export async function rowsOfVersions(clickhouse: ClickHouse): Promise<Map<number, number>> {
  const parts = await clickhouse.rows<{ version: number; count: number }>(sql`
    SELECT toFloat64(partition) AS version, toFloat64(sum(rows)) AS count FROM ${clickhouse.system.ofShards('parts')}
    WHERE database = currentDatabase() AND table = ${clickhouse.system.storedTable('duplicate_groups')} AND active GROUP BY version ORDER BY version`)
  return new Map(parts.map(({ version, count }) => [version, count]))
}

/**
 * Copies the rows of small recent versions that the next version lacks into it, as long as none is much larger than
 * those after it; returns the versions of the groups after that. So there are few versions, with few more rows than
 * groups. Copied versions stay for the dates that need them.
 */
export async function mergeSmallVersions(clickhouse: ClickHouse, next: number, before: number[]): Promise<number[]> {
  const rows = await rowsOfVersions(clickhouse)
  const own = rows.get(next)
  if (own === undefined) return before
  const kept = before.filter((version) => rows.has(version))
  const small: number[] = []
  for (let sum = own; (rows.get(kept.at(-1) ?? 0) ?? Infinity) <= 2 * sum;) {
    const version = kept.pop() ?? 0
    small.push(version)
    sum += rows.get(version) ?? 0
  }
  const ended = kept.length === 0 ? sql`HAVING copies > 1` : sql``
  if (small.length > 0)
    await insertFrom(
      clickhouse,
      'duplicate_groups',
      sql`
        SELECT ${next}, hash, argMax(is_directory, version), argMax(duplicate_groups.copies, version) AS copies,
          argMax(bytes, version)
        FROM duplicate_groups
        WHERE ${inVersions(small)} AND hash NOT IN (SELECT hash FROM duplicate_groups WHERE version = ${next})
        GROUP BY hash ${ended}`,
    )
  return [...kept, next]
}
