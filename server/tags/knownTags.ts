import { hiddenTagPrefix, reportTagPrefix } from '#events/tags.ts'
import { contains, reportName, validOn } from '#server/entries/index.ts'
import type { Platform } from '#server/platform/platform.ts'
import { type Sql, sql } from '#server/platform/sql.ts'
import { type Snapshot, snapshotAt } from '#server/snapshots/index.ts'

type Stores = Pick<Platform, 'db' | 'clickhouse'>
type Asked = { indexingDate?: string | undefined; size: number }

/** The tags of entries of a day's storages, hidden ones left out. */
export async function listTags(
  { db, clickhouse }: Stores,
  { search, ...asked }: Asked & { search?: string | undefined },
): Promise<string[]> {
  const searched = search ? contains(sql`tag`, search) : sql`1`
  const isMeant = sql`NOT startsWith(tag, ${hiddenTagPrefix}) AND ${searched}`
  return distinct(clickhouse, sql`tag`, isMeant, await snapshotAt(db, asked.indexingDate), asked)
}

/** The reports that found something in a day's storages. */
export async function listReports({ db, clickhouse }: Stores, asked: Asked): Promise<string[]> {
  const isMeant = sql`startsWith(tag, ${reportTagPrefix}) AND ${reportName} != ''`
  return distinct(clickhouse, reportName, isMeant, await snapshotAt(db, asked.indexingDate), asked)
}

async function distinct(
  clickhouse: Stores['clickhouse'],
  value: Sql,
  isMeant: Sql,
  snapshot: Snapshot | undefined,
  { size }: Asked,
): Promise<string[]> {
  if (!snapshot || snapshot.volumes.length === 0) return []
  const rows = await clickhouse.rows<{ found: string }>(sql`
    SELECT DISTINCT ${value} AS found FROM entry_tags FINAL
    WHERE volume IN ${snapshot.volumes.map(({ volumeId }) => volumeId)} AND ${validOn(snapshot.indexingDate)}
      AND ${isMeant}
    ORDER BY lowerUTF8(found), found LIMIT ${size}`)
  return rows.map(({ found }) => found)
}
