import { sql } from '#server/platform/clickhouse/sql.ts'
import { type Commit } from '#server/content/snapshots/commit/commit.ts'
import { insertFrom } from '#server/platform/clickhouse/largeTables.ts'
import { nextVersion } from '#server/content/snapshots/duplicates/duplicatesOfScans.ts'
import { groupsAt, mergeSmallVersions } from '#server/content/snapshots/duplicates/groupVersions.ts'
import { entriesAt } from '#server/content/snapshots/reading/entriesAt.ts'
import { emptySnapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import { snapshotDates } from './calendar.ts'
import type { FilledVolume } from './versions.ts'

/** Number of hashes that are counted at once. */
const hashesPerStep = 12_000_000

/**
 * Counts the copies of each snapshot, like commits. Returns the versions that make up the groups of each snapshot,
 * oldest first.
 */
export async function fillDuplicates(commit: Commit, volumes: FilledVolume[]): Promise<number[][]> {
  const { rows } = await commit.clickhouse.one<{ rows: number }>(sql`SELECT toFloat64(count()) AS rows FROM entries`)
  const passes = Math.ceil(rows / hashesPerStep)
  const versions: number[][] = []
  for (const turn of snapshotDates.keys()) {
    const before = versions.at(-1) ?? []
    const next = await nextVersion(commit.db)
    for (let pass = 0; pass < passes; pass++)
      await countDifferent(commit, volumes, { turn, before, next, pass, passes })
    versions.push(await mergeSmallVersions(commit.clickhouse, next, before))
  }
  return versions
}

type Counting = { turn: number; before: number[]; next: number; pass: number; passes: number }

/** Writes the groups of a snapshot that differ from the previous one, and removed groups. */
const countDifferent = (
  { clickhouse }: Commit,
  volumes: FilledVolume[],
  { turn, before, next, pass, passes }: Counting,
) =>
  insertFrom(
    clickhouse,
    'duplicate_groups',
    sql`
      SELECT ${next}, hash, any(is_directory), sumIf(copies, counted) AS now, sumIf(bytes, counted)
      FROM (
        SELECT identification_hash AS hash, any(is_directory) AS is_directory, count() AS copies,
          sum(toUInt64(greatest(size, 0))) AS bytes, true AS counted
        FROM ${entriesAt(shownOn(volumes, turn))} WHERE hash != 0 AND hash % ${passes} = ${pass}
        GROUP BY hash HAVING copies > 1
        UNION ALL
        SELECT hash, is_directory, copies, bytes, false FROM ${groupsAt(before, sql`hash % ${passes} = ${pass}`)})
      GROUP BY hash HAVING now != sumIf(copies, NOT counted) OR sumIf(bytes, counted) != sumIf(bytes, NOT counted)`,
  )

const shownOn = (volumes: FilledVolume[], turn: number) => ({
  ...emptySnapshot,
  volumes: volumes.map(({ id, generation, scans }) => ({
    volumeId: id,
    name: '',
    type: '',
    root: '/',
    scanId: scans[turn] ?? 0,
    scannedOn: '',
    generation,
    layers: [],
    committedScan: scans.at(-1) ?? 0,
  })),
})
