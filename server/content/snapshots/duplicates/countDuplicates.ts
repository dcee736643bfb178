import { isDeepStrictEqual } from 'node:util'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { insertFrom, recreateTable } from '#server/platform/clickhouse/largeTables.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { type DuplicateVersions, nextVersion } from './duplicatesOfScans.ts'
import { notRepeated, type RepeatedPlace } from '#server/content/snapshots/reading/repeatedPlaces.ts'
import { isInPartitions, type ReadGenerations } from '#server/content/snapshots/reading/entriesAt.ts'
import { groupsAt, mergeSmallVersions } from './groupVersions.ts'

/**
 * Entries whose copies may change, apart from added or removed volumes: a scan's table of changes, and the volume if it
 * is its first scan. `touched` is a table to create with the hashes of all of these.
 */
type CountContext = {
  db: Db
  clickhouse: ClickHouse
  touched: Sql
  changes?: Sql | undefined
  first?: number | undefined
}

/** Hashes counted per statement; 4 million take about 500 MB. */
const hashesPerStatement = 4_000_000

/**
 * Counts the copies of the touched entries over all volumes of the newest snapshot, as a new version of the groups.
 * Returns the versions of the groups from then on. Existing data stays unchanged. Entries in `repeated` places are no copies of those that
 * they repeat; if these places are others than before, all groups are counted.
 */
export async function countDuplicates(
  counting: CountContext,
  /** Volumes as the newest snapshot will show them. */
  shown: readonly ReadGenerations[],
  before: DuplicateVersions,
  repeated: RepeatedPlace[] = [],
): Promise<number[]> {
  const { db, clickhouse, touched, changes, first } = counting
  const whole = shown.filter(({ volumeId }) => volumeId === first || !before.volumes.includes(volumeId))
  const gone = before.volumes.filter((id) => !shown.some(({ volumeId }) => volumeId === id))
  const hasSamePlaces = isDeepStrictEqual(repeated, before.repeated)
  if (!changes && whole.length + gone.length === 0 && hasSamePlaces) return before.versions
  const everything = whole.length === shown.length || !hasSamePlaces
  // A full count doesn't need the touched hashes.
  if (!everything) await recreateTable(clickhouse, touched, 'hash', touchedHashes(changes, whole, gone), 'hash UInt64')
  const rows = everything ? await aboutHashes(clickhouse, shown) : await rowsOf(clickhouse, touched)
  if (rows === 0 && (gone.length === 0 || !everything)) return before.versions
  const next = await nextVersion(db)
  const passes = Math.ceil(rows / hashesPerStatement)
  const isCounted = notRepeated(repeated, shown)
  const part = (passes: number, pass: number) => sql`identification_hash % ${passes} = ${pass} AND ${isCounted}`
  for (let pass = 0; pass < passes; pass++) await countGroups(counting, shown, next, everything, part(passes, pass))
  if (everything) return [next]
  await closeGroups(counting, next, before.versions)
  return mergeSmallVersions(clickhouse, next, before.versions)
}

async function rowsOf(clickhouse: ClickHouse, table: Sql): Promise<number> {
  const { rows } = await clickhouse.one<{ rows: number }>(sql`SELECT toFloat64(count()) AS rows FROM ${table}`)
  return rows
}

/** The number of hashes of these volumes, within a percent; 0 for none. */
async function aboutHashes(clickhouse: ClickHouse, shown: readonly ReadGenerations[]): Promise<number> {
  const { hashes } = await clickhouse.one<{ hashes: number }>(
    sql`
    SELECT toFloat64(uniqCombinedIf(identification_hash, identification_hash != 0)) AS hashes
    FROM entries WHERE ${isInPartitions(shown)}`,
    { seconds: 600 },
  )
  return hashes
}

/** The hashes whose copies may have changed: from changes, and from added or removed volumes. */
function touchedHashes(changes: Sql | undefined, whole: readonly ReadGenerations[], gone: number[]): Sql {
  const left = sql`volume IN ${gone}`
  const changed = changes
    ? sql`
      UNION ALL SELECT n_identification_hash FROM ${changes} WHERE n_here
      UNION ALL SELECT o_identification_hash FROM ${changes} WHERE o_here`
    : sql``
  return sql`
    SELECT DISTINCT hash FROM (
      SELECT identification_hash AS hash FROM entries WHERE ${isInPartitions(whole)} OR ${left}
      ${changed})
    WHERE hash != 0`
}

/** Writes the groups of some hashes into the next version; with `everything` also hashes untouched by commits. */
const countGroups = (
  { clickhouse, touched }: CountContext,
  shown: readonly ReadGenerations[],
  next: number,
  everything: boolean,
  part: Sql,
) => {
  const condition = everything ? sql`1` : sql`identification_hash IN (SELECT hash FROM ${touched})`
  return insertFrom(
    clickhouse,
    'duplicate_groups',
    sql`
      SELECT ${next}, identification_hash, any(is_directory), count() AS copies, toUInt64(least(sum(toInt128(greatest(size, 0))), toInt128(9223372036854775807)))
      FROM entries WHERE ${isInPartitions(shown)} AND identification_hash != 0 AND ${part} AND ${condition}
      GROUP BY identification_hash HAVING copies > 1`,
  )
}

/** Writes closing rows for groups that no longer exist. */
const closeGroups = ({ clickhouse, touched }: CountContext, next: number, before: number[]) =>
  insertFrom(
    clickhouse,
    'duplicate_groups',
    sql`
      SELECT ${next}, hash, is_directory, 0, 0 FROM ${groupsAt(before, sql`hash IN (SELECT hash FROM ${touched})`)}
      WHERE hash NOT IN (SELECT hash FROM duplicate_groups WHERE version = ${next})`,
  )
