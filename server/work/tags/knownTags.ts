import { hiddenTagPrefix, reportTagPrefix } from '#events/tags.ts'
import { contains, isTagSeen, reportName, validOn, searchText } from '#server/content/entries/conditions.ts'
import type { Scope } from '#server/platform/callers/scope.ts'
import type { Stores } from '#server/platform/platform.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { type Snapshot, snapshotAt } from '#server/content/snapshots/reading/snapshotAt.ts'

type TagListOptions = { indexingDate?: string | undefined; size: number }

/** The tags of entries in a day's storages, without hidden ones. */
export async function listTags(
  { db, clickhouse }: Stores,
  scope: Scope,
  { search, ...options }: TagListOptions & { search?: string | undefined },
): Promise<string[]> {
  const searched = search ? contains(searchText(sql`tag`), search) : sql`1`
  const isMeant = sql`NOT startsWith(tag, ${hiddenTagPrefix}) AND ${searched}`
  return distinct(clickhouse, sql`tag`, isMeant, await snapshotAt(db, scope, options.indexingDate), options)
}

/** The reports that found something in a day's storages. */
export async function listReports(
  { db, clickhouse }: Stores,
  scope: Scope,
  options: TagListOptions,
): Promise<string[]> {
  const isMeant = sql`startsWith(tag, ${reportTagPrefix}) AND ${reportName} != ''`
  return distinct(clickhouse, reportName, isMeant, await snapshotAt(db, scope, options.indexingDate), options)
}

/**
 * The distinct values of tags that apply on the day. If all rows of a tag do or none does, its rows need no comparison
 * with their replacements.
 */
async function distinct(
  clickhouse: Stores['clickhouse'],
  value: Sql,
  isMeant: Sql,
  snapshot: Snapshot | undefined,
  { size }: TagListOptions,
): Promise<string[]> {
  if (!snapshot || snapshot.volumes.length === 0) return []
  const there = sql`volume IN ${snapshot.volumes.map(({ volumeId }) => volumeId)} AND ${isTagSeen(snapshot)} AND ${isMeant}`
  const rows = await clickhouse.rows<{ found: string }>(sql`
    WITH counted AS (
      SELECT tag, count() AS rows, countIf(${validOn(snapshot.indexingDate)}) AS valid
      FROM entry_tags WHERE ${there} GROUP BY tag
    )
    SELECT DISTINCT ${value} AS found FROM (
      SELECT tag FROM counted WHERE valid = rows
      UNION ALL
      SELECT DISTINCT tag FROM entry_tags FINAL
      WHERE tag IN (SELECT tag FROM counted WHERE valid BETWEEN 1 AND rows - 1) AND ${there}
        AND ${validOn(snapshot.indexingDate)})
    ORDER BY lowerUTF8(found), found LIMIT ${size}`)
  return rows.map(({ found }) => found)
}
