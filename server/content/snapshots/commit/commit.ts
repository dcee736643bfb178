import { sql as postgres } from 'kysely'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { allowedClockSkew } from '#events/scans/plausibleTime.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { isInPartitions, type ReadGenerations } from '#server/content/snapshots/reading/entriesAt.ts'

/** Input of each step of a commit: the scan, its volume after the last commit, and a generation's number. */
export type Commit = {
  clickhouse: ClickHouse
  /** The single connection that holds the locks. */
  db: Db
  scan: {
    id: number
    scannedPath: string
    indexingDate: string
    cloneIndex: boolean
    /** True if reading files updates their access times; null if the agent doesn't know. */
    updatesAccess: boolean | null
  }
  volume: {
    id: number
    committedScan: number | null
    generation: number | null
    layers: number[]
    /** Of a flush: the live state before it; `hasKeys` is true for an object store. */
    live?: ReadGenerations['live']
    hasKeys?: boolean
    ignoredPaths: string[]
    indexFolderOnlyPaths: string[]
  }
  generation: number
  /** Seconds UTC. Times of entries are judged by it, see `plausibleTime`. */
  scannedAt: number
  /** True if an access alone makes a new version, see `isAlwaysUpdateActive`. */
  accessesMakeVersions: boolean
}

/** Numbers of staged rows, by which a commit runs no queries for rows that don't exist. Entries carried over have attempt 0. */
export type StagedRows = {
  carried: number
  /** Known versions of entries that the scan could not look at. */
  standIns: number
  /** Folders whose files were left out, and rows that were compared with another scan than the last one. */
  unchanged: number
  misfits: number
  unreadable: number
  /** Entries whose attributes could not be read. */
  unknown: number
  /** Files with several hard links, and those with an ETag. */
  links: number
  etags: number
  checkpoints: number
  deltas: number
  /** Marks which state that some of the sent files are unchanged. */
  alike: number
  /** Rows with times that can't be right. */
  oddTimes: number
  /** Folders that the scan did not enter. */
  notEntered: number
}

/**
 * Flags of a scan that may leave files out: `hasSame` if it did, `hasCompared` if some files must be compared anyway.
 */
export type SameFiles = { hasSame: boolean; hasCompared: boolean }

/** Maximum number of ETags that count as missing. Of a store with more of them, no ETag says anything about content. */
export const maxSharedEtags = 100

/** A commit whose staging table is complete, with the facts that decide which extra queries it needs. */
export type StagedCommit = Commit & {
  staged: SameFiles & {
    rows: StagedRows
    /** ETags of files of different sizes, which say nothing about content: up to one more than `maxSharedEtags`. */
    sharedEtags: string[]
  }
}

/**
 * Result of comparing the scan with the known snapshot: it is the volume's first, or has differences, or has no
 * differences.
 */
export type Comparison = 'first' | 'changed' | 'same'

/** The generations that queries read after a commit, and how it came to them. With layers, `changes` has the differences from those before. */
export type WrittenState = ReadGenerations & { comparison: Comparison }

/** Rows that a commit wrote, for use in a FROM: of generations, or all of an import by the number of its scan. */
export const writtenRows = (written: ReadGenerations | { volumeId: number; importedAs: number }): Sql =>
  'importedAs' in written
    ? sql`entry_history WHERE ${isOfImport(written.volumeId, written.importedAs)}`
    : sql`entries WHERE ${isInPartitions([written])}`

/** Condition on rows of `entry_history`: they are those of an import. */
export const isOfImport = (volumeId: number, scanId: number): Sql =>
  sql`(_partition_id = ${String(volumeId)} AND from_scan = ${scanId} AND to_scan = ${scanId + 1})`

/** Entries of the known snapshot, for use in a FROM. */
export const known = ({ volume }: Commit): Sql => sql`entries WHERE ${isInPartitions([generationsOf(volume)])}`

/** The generations to read of a volume after its last commit. */
export const generationsOf = ({ id, generation, layers, live }: Commit['volume']): ReadGenerations => ({
  volumeId: id,
  generation: generation ?? 0,
  layers,
  live,
})

/** A number that no generation had before. */
export async function nextGeneration(db: Db): Promise<number> {
  const { rows } = await postgres<{ next: number }>`SELECT nextval('generations')::integer AS next`.execute(db)
  return rows[0]?.next ?? 0
}

/** Condition: a column in seconds is unknown, or a `plausibleTime`. */
export const isPlausible = (column: Sql, { scannedAt }: Pick<Commit, 'scannedAt'>): Sql =>
  sql`${column} BETWEEN 0 AND ${scannedAt + allowedClockSkew}`
