import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { type Sql, sql, text } from '#server/platform/clickhouse/sql.ts'

/** What every step of a commit is given: the scan, its volume as the last commit left it, and a generation's number. */
export type Commit = {
  clickhouse: ClickHouse
  /** The one connection that holds the locks. */
  db: Db
  scan: { id: number; scannedPath: string; indexingDate: string; cloneIndex: boolean }
  volume: {
    id: number
    committedScan: number | null
    generation: number | null
    ignoredPaths: string[]
    indexFolderOnlyPaths: string[]
  }
  generation: number
  /** Whether an access alone makes a new version, as `isAlwaysUpdateActive` says. */
  accessesMakeVersions: boolean
}

/** Of a scan that left files out: whether it did, and whether there are files all the same that are to be compared. */
export type SameFiles = { hasSame: boolean; hasCompared: boolean }

/** A commit whose staging table is complete, with what it asks for beyond a plain reading. */
export type StagedCommit = Commit & {
  staged: SameFiles & {
    /** Whether known versions were carried over for entries that the scan could not look at. */
    hasStandIns: boolean
    /** Whether a file has several hard links. */
    hasLinks: boolean
    /** Whether it was said of files that were sent that they are as before. */
    hasAlike: boolean
  }
}

/** How the scan stands to what is known: it is the volume's first, or found differences, or found none. */
export type Comparison = 'first' | 'changed' | 'same'

/** Both sides of a join are read in key order, so that memory does not grow with the volume; large sorts go to disk. */
const settings = text(`SETTINGS join_algorithm = 'full_sorting_merge', max_threads = 2, max_insert_threads = 2,
  max_block_size = 16384, min_insert_block_size_rows = 262144, min_insert_block_size_bytes = 134217728,
  optimize_aggregation_in_order = 1,
  max_bytes_before_external_group_by = 268435456, max_bytes_before_external_sort = 268435456`)

/** Makes a table of a scan anew from a question, whatever an earlier try left. */
export async function remake(clickhouse: ClickHouse, table: Sql, order: string, question: Sql): Promise<void> {
  await clickhouse.command(sql`DROP TABLE IF EXISTS ${table} SYNC`)
  await clickhouse.command(
    sql`CREATE TABLE ${table} ENGINE = MergeTree ORDER BY ${text(order)} AS ${question} ${settings}`,
  )
}

export const insertFrom = (clickhouse: ClickHouse, into: Sql, question: Sql): Promise<void> =>
  clickhouse.command(sql`INSERT INTO ${into} ${question} ${settings}`)
