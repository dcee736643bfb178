import { asSummaries, type SummaryRecord } from '#server/content/entries/entryRecord.ts'
import { childrenOf } from '#server/content/entries/conditions.ts'
import { type EntrySelection, inStorages } from '#server/content/entries/selectEntries.ts'
import { tagsIn } from '#server/content/entries/tagsAt.ts'
import type { Scope } from '#server/platform/callers/scope.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { sql, type Sql } from '#server/platform/clickhouse/sql.ts'
import { withPrices } from '#server/content/snapshots/reading/costUnits.ts'
import { type Snapshot, snapshotOrEmpty } from '#server/content/snapshots/reading/snapshotAt.ts'
import { sourceAt } from '#server/content/snapshots/reading/entriesAt.ts'
import type { EntrySummary } from '#events/entries.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'

/** A day or `now`, and storages; an empty list means all. `sort` is the order of the list. */
type ListQuery = { indexingDate?: string | undefined; storages: number[]; sort?: string | undefined }

/** Selects the entries of some storages on a day that match a condition. */
export async function selectIn(
  db: Db,
  scope: Scope,
  { indexingDate, storages, sort }: ListQuery,
  where: Sql,
  heavy = false,
): Promise<EntrySelection> {
  const snapshot = await withPrices(db, await snapshotOrEmpty(db, scope, indexingDate), sort)
  const shown = inStorages(snapshot, storages)
  const { from, where: isShown } = sourceAt(shown)
  return {
    snapshot,
    from,
    where: sql`${isShown} AND ${where}`,
    deleted: false,
    heavy,
    quick: true,
    volumes: shown.volumes,
  }
}

/** A folder in some storages; an empty list means all. */
type Folder = { path: string; storages: number[] }

/** Converts the rows that are read for a folder; their tags are queried at the same time. */
export async function summariesIn<Read extends { rows: SummaryRecord[] }>(
  clickhouse: ClickHouse,
  snapshot: Snapshot,
  { path, storages }: Folder,
  reading: Promise<Read>,
): Promise<Read & { elements: EntrySummary[] }> {
  const shown = inStorages(snapshot, storages)
  const [read, tags] = await Promise.all([reading, tagsIn(clickhouse, shown, childrenOf(path))])
  return { ...read, elements: await asSummaries(clickhouse, read.rows, snapshot, tags) }
}
