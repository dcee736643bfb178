import {
  asSummaries,
  childrenOf,
  inStorages,
  type EntrySelection,
  type SummaryRecord,
  tagsIn,
} from '#server/entries/index.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { sql, type Sql } from '#server/platform/clickhouse/sql.ts'
import { shownOn, type Snapshot, sourceAt } from '#server/snapshots/index.ts'
import type { EntrySummary } from '#events/entries.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'

/** A day, and storages of which all are meant when none is named. */
type Scope = { indexingDate?: string | undefined; storages: number[] }

/** What a day shows of some storages and meets a condition. */
export async function selectIn(
  db: Db,
  { indexingDate, storages }: Scope,
  where: Sql,
  heavy = false,
): Promise<EntrySelection> {
  const snapshot = await shownOn(db, indexingDate)
  const shown = sourceAt(inStorages(snapshot, storages))
  return { snapshot, from: shown.from, where: sql`${shown.where} AND ${where}`, deleted: false, heavy, quick: true }
}

/** A folder of some storages, of all where none is named. */
type Folder = { path: string; storages: number[] }

/** What is being read of a folder, as rows show it: the tags of the folder are asked for beside it. */
export async function summariesIn<Read extends { rows: SummaryRecord[] }>(
  clickhouse: ClickHouse,
  snapshot: Snapshot,
  { path, storages }: Folder,
  reading: Promise<Read>,
): Promise<Read & { elements: EntrySummary[] }> {
  const volumes = inStorages(snapshot, storages).volumes.map(({ volumeId }) => volumeId)
  const [read, tags] = await Promise.all([reading, tagsIn(clickhouse, { volumes, parentPath: childrenOf(path) })])
  return { ...read, elements: await asSummaries(clickhouse, read.rows, snapshot, tags) }
}
