import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'

/** A FROM clause and a condition on its rows, which have the columns of an entry. */
export type EntryRows = { from: Sql; where: Sql }

/** Number of files and folders, and the bytes of the files. */
export type EntryCounts = { files: number; folders: number; bytes: number }
export const noEntries: EntryCounts = { files: 0, folders: 0, bytes: 0 }

/** Columns of `EntryCounts`. Unknown sizes add zero. */
export const countColumns = sql`
  toFloat64(countIf(NOT is_directory)) AS files, toFloat64(countIf(is_directory)) AS folders,
  sumIf(toFloat64(greatest(size, 0)), NOT is_directory) AS bytes`

/** Options of queries that read all entries; the timeout is in seconds. */
export const readsEverything = { heavy: true, seconds: 600 }

export const countEntries = (clickhouse: Pick<ClickHouse, 'rows'>, { from, where }: EntryRows): Promise<EntryCounts> =>
  clickhouse
    .rows<EntryCounts>(sql`SELECT ${countColumns} FROM ${from} WHERE ${where}`, readsEverything)
    .then(([counts]) => counts ?? noEntries)
