import type { UsedAgain } from '#events/policies/simulations.ts'
import { placeHash } from '#server/content/entries/places.ts'
import { isInPartitions } from '#server/content/snapshots/reading/entriesAt.ts'
import { sql, typed } from '#server/platform/clickhouse/sql.ts'
import { dayText } from './history.ts'
import { actedOn, type Reading, readInTurns } from './rests.ts'

/** Most files of a list. */
const maxFiles = 1_000

/** Number of a version: of its path and its first scan. */
const versionNumber = sql`cityHash64(${placeHash}, from_scan)`
type UsedVersion = { volume: number; version: string; day: number; again: number; bytes: number }
type Version = { version: string; path: string; owner: string }

/** The largest files that were used again within some days after the policy acted on them. */
export async function listUsedAgain(
  reading: Omit<Reading, 'volumes'>,
  age: number,
  within: number,
): Promise<UsedAgain[]> {
  const largest = await readInTurns(reading, (some) => readLargest(some, age, within))
  const found = largest.toSorted((a, b) => b.bytes - a.bytes).slice(0, maxFiles)
  const versions = new Map((await readVersions(reading, found)).map((version) => [version.version, version]))
  const listed = found.flatMap(({ version, day, again, bytes }) => {
    const { path, owner } = versions.get(version) ?? {}
    if (path === undefined || owner === undefined) return []
    return [{ path, owner, size: bytes, actedOn: dayText(day), usedOn: dayText(again) }]
  })
  return listed.toSorted((a, b) => b.size - a.size || (a.path < b.path ? -1 : 1))
}

const readLargest = async (reading: Reading, age: number, within: number): Promise<UsedVersion[]> =>
  reading.clickhouse.rows<UsedVersion>(
    sql`
      SELECT volume, toString(about) AS version, day, again, bytes
      FROM ${await actedOn(reading, { ages: [age], about: versionNumber })}
      WHERE again != 0 AND again < day + ${within}
      ORDER BY bytes DESC, about LIMIT ${maxFiles}`,
    reading.options,
  )

/** Reads the paths and owners of versions. */
async function readVersions(
  { clickhouse, tried, options }: Omit<Reading, 'volumes'>,
  found: readonly UsedVersion[],
): Promise<Version[]> {
  const ids = new Set(found.map(({ volume }) => volume))
  const volumes = tried.volumes.filter(({ volumeId }) => ids.has(volumeId))
  if (volumes.length === 0) return []
  const columns = sql`toString(${versionNumber}) AS version, concat(parent_path, name) AS path, toString(owner) AS owner`
  const isFound = sql`${versionNumber} IN ${typed(
    found.map(({ version }) => BigInt(version)),
    'Array(UInt64)',
  )}`
  return clickhouse.rows<Version>(
    sql`
      SELECT ${columns} FROM entries WHERE ${isInPartitions(volumes)} AND ${isFound}
      UNION ALL
      SELECT ${columns} FROM entry_history WHERE _partition_id IN ${volumes.map(({ volumeId }) => String(volumeId))} AND ${isFound}`,
    options,
  )
}
