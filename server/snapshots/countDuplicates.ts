import { type Sql, sql, text } from '#server/platform/sql.ts'
import { type Commit, type Comparison, insertFrom, remake, tablesOf } from './commit.ts'
import { type Counted, nextVersion } from './duplicatesOfScans.ts'
import { isInPartitions } from './entriesAt.ts'
import { groupsAt, standInForSmall } from './groupVersions.ts'

/** A volume in the generation that the newest snapshot will show. */
export type Shown = { volumeId: number; generation: number }

/** So many hashes are counted at once; 4 million take about 500 MB. */
const atOnce = 4_000_000

/**
 * Counts the copies of what this commit touched, over all volumes of the newest snapshot, as a new version of the groups.
 * Returns the versions that make the groups from then on. Nothing that is read changes.
 */
export async function countDuplicates(
  commit: Commit,
  comparison: Comparison,
  shown: Shown[],
  before: Counted,
): Promise<number[]> {
  const { clickhouse } = commit
  const { touched } = tablesOf(commit.scan.id)
  const isNew = (volumeId: number) => comparison === 'first' && volumeId === commit.volume.id
  const whole = shown.filter(({ volumeId }) => isNew(volumeId) || !before.volumes.includes(volumeId))
  const gone = before.volumes.filter((id) => !shown.some(({ volumeId }) => volumeId === id))
  await remake(clickhouse, touched, 'hash', touchedHashes(commit, comparison, whole, gone))
  const { rows } = await clickhouse.one<{ rows: number }>(sql`SELECT toFloat64(count()) AS rows FROM ${touched}`)
  if (rows === 0) return before.versions
  const next = await nextVersion(commit.db)
  const everything = whole.length === shown.length
  const passes = Math.ceil(rows / atOnce)
  for (let pass = 0; pass < passes; pass++)
    await countGroups(commit, shown, next, everything, sql`identification_hash % ${passes} = ${pass}`)
  if (everything) return [next]
  await closeGroups(commit, next, before.versions)
  return standInForSmall(commit, next, before.versions)
}

/** The hashes whose copies may be others than before: of what changed, and of volumes that come or go. */
function touchedHashes({ scan }: Commit, comparison: Comparison, whole: Shown[], gone: number[]): Sql {
  const { changes } = tablesOf(scan.id)
  const left = gone.length === 0 ? sql`0` : sql`volume IN ${gone}`
  const changed = sql`
    SELECT n_identification_hash AS hash FROM ${changes} WHERE n_here
    UNION ALL SELECT o_identification_hash FROM ${changes} WHERE o_here`
  return sql`
    SELECT DISTINCT hash FROM (
      SELECT identification_hash AS hash FROM entries WHERE ${isInPartitions(whole)} OR ${left}
      ${comparison === 'changed' ? sql`UNION ALL ${changed}` : sql``})
    WHERE hash != 0`
}

/** Writes the groups of some hashes into the next version; `everything` counts those that no commit touched, too. */
const countGroups = (commit: Commit, shown: Shown[], next: number, everything: boolean, part: Sql) => {
  const { touched } = tablesOf(commit.scan.id)
  const meant = everything ? sql`1` : sql`identification_hash IN (SELECT hash FROM ${touched})`
  return insertFrom(
    commit.clickhouse,
    text('duplicate_groups'),
    sql`
      SELECT ${next}, identification_hash, any(is_directory), count() AS copies, sum(greatest(size, 0))
      FROM entries WHERE ${isInPartitions(shown)} AND identification_hash != 0 AND ${part} AND ${meant}
      GROUP BY identification_hash HAVING copies > 1`,
  )
}

/** What was a group and is none any more gets a row that says so. */
const closeGroups = ({ clickhouse, scan }: Commit, next: number, before: number[]) => {
  const { touched } = tablesOf(scan.id)
  return insertFrom(
    clickhouse,
    text('duplicate_groups'),
    sql`
      SELECT ${next}, hash, is_directory, 0, 0 FROM ${groupsAt(before, sql`hash IN (SELECT hash FROM ${touched})`)}
      WHERE hash NOT IN (SELECT hash FROM duplicate_groups WHERE version = ${next})`,
  )
}
