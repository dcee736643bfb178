import { sql, text } from '#server/platform/sql.ts'
import type { Commit } from '#server/snapshots/commit.ts'
import { countGroups } from '#server/snapshots/countDuplicates.ts'
import { type FilledVolume } from './versions.ts'
import { plain } from './words.ts'

/** The version of the groups that a fill makes. */
export const duplicatesVersion = 1
/** So many hashes are counted at once. */
const atOnce = 4_000_000

/** Counts the copies in the newest snapshot as the first version of the groups, marked as one that needs none before it. */
export async function fillDuplicates(commit: Commit, volumes: FilledVolume[]): Promise<void> {
  const shown = volumes.map(({ id, generation }) => ({ volume: id, generation }))
  const { rows } = await commit.clickhouse.one<{ rows: number }>(sql`SELECT toFloat64(count()) AS rows FROM entries`)
  const passes = Math.ceil(rows / atOnce)
  for (let pass = 0; pass < passes; pass++)
    await countGroups(commit, shown, duplicatesVersion, true, text(`identification_hash % ${passes} = ${pass}`))
  await commit.clickhouse.command(
    sql`INSERT INTO duplicate_groups VALUES (${plain(duplicatesVersion)}, 0, false, 0, 0)`,
  )
}
