import type { Stores } from '#server/platform/platform.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { snapshotAt } from '#server/content/snapshots/reading/snapshotAt.ts'

type Version = { path: string; isDirectory: boolean; from: number; to: number; ended: string; movedTo: string }

/**
 * The ways in which entries of a date lost their path by a later date, and their places then, move after move: a line
 * each.
 */
export async function fatesBetween({ db, clickhouse }: Stores, earlier: string, later: string): Promise<string> {
  const [before, after] = [await snapshotAt(db, 'everything', earlier), await snapshotAt(db, 'everything', later)]
  const lines: string[] = []
  for (const { volumeId, scanId } of before?.volumes ?? []) {
    const end = after?.volumes.find((volume) => volume.volumeId === volumeId)?.scanId ?? 0
    const versions = await clickhouse.rows<Version>(sql`
      SELECT concat(parent_path, name) AS path, is_directory AS isDirectory, from_scan AS from, to_scan AS to,
        toString(ended) AS ended, moved_to AS movedTo
      FROM entry_history WHERE volume = ${volumeId} AND to_scan > ${scanId} AND to_scan <= ${end} ORDER BY to_scan`)
    for (const version of versions.filter(({ from }) => from <= scanId))
      lines.push(`${volumeId} ${version.path} ${fateOf(version, versions, scanId)}`)
  }
  return lines.sort().join('\n')
}

function fateOf({ path, isDirectory }: Version, versions: Version[], since: number): string {
  const loss = versions.find(
    (version) =>
      version.path === path && version.isDirectory === isDirectory && version.to > since && version.ended !== 'changed',
  )
  if (!loss) return `is at ${path}`
  if (loss.ended !== 'moved') return `was ${loss.ended} at ${path}`
  return fateOf({ ...loss, path: loss.movedTo }, versions, loss.to)
}
