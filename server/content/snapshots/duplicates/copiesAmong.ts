import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { newestBy } from '#server/platform/clickhouse/newestBy.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { countedDuplicates } from './duplicateHashes.ts'
import { type DuplicateRules, isDuplicate } from '#server/content/snapshots/reading/duplicateRules.ts'
import { inVersions } from './groupVersions.ts'
import type { Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'

/**
 * Returns the hashes, in the engine's hexadecimal digits, that occur more than once in a snapshot: looked up if the
 * groups of its scans are known, otherwise counted.
 */
export async function copiesAmong(clickhouse: ClickHouse, snapshot: Snapshot, hashes: Sql): Promise<string[]> {
  const { duplicatesVersions: versions, rules } = snapshot
  const groups = versions
    ? await groupsOf(clickhouse, versions, hashes, rules)
    : await clickhouse.rows<{ found: string }>(
        sql`SELECT hex(hash) AS found FROM ${countedDuplicates(snapshot, hashes)}`,
      )
  return groups.map(({ found }) => found)
}

type Row = { found: string; version: number; is_directory: boolean; copies: number; bytes: number }

/** The row with the newest version counts for each hash. */
async function groupsOf(clickhouse: ClickHouse, versions: number[], hashes: Sql, rules: DuplicateRules) {
  const rows = await clickhouse.rows<Row>(
    sql`SELECT hex(hash) AS found, version, is_directory, copies, bytes FROM duplicate_groups
      WHERE ${inVersions(versions)} AND hash IN ${hashes}`,
    { quick: true },
  )
  return newestBy(rows, ({ found }) => found).filter((group) => isDuplicate(rules, group))
}
