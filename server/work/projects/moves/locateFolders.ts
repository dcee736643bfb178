import type { FolderPlace } from '#events/projects/moves.ts'
import { childrenOf } from '#server/content/entries/conditions.ts'
import { rowsAt } from '#server/content/entries/places.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { isInPartitions, type ReadGenerations } from '#server/content/snapshots/reading/entriesAt.ts'
import type { Whereabouts } from './decideMove.ts'
import { homeOfContents } from './homeOfContents.ts'

/** A volume at its committed scan. */
export type CommittedVolume = ReadGenerations & { committedScan: number }

/** A tracked folder, the last scan in which it was looked for (0 if none), and where it was found then. */
export type Search = {
  path: string
  checkedScan: number
  known: { movedTo: string; places: FolderPlace[] } | undefined
}

/** Finds tracked folders of a volume in its committed scan; in the same order. */
export async function locateFolders(
  clickhouse: ClickHouse,
  volume: CommittedVolume,
  searches: Search[],
): Promise<Whereabouts[]> {
  const here = await existing(
    clickhouse,
    volume,
    searches.map(({ path }) => path),
  )
  const gone = searches.filter(({ path }) => !here.has(path))
  const trails = await followTrails(clickhouse, volume, gone)
  const targets = await existing(
    clickhouse,
    volume,
    [...trails.values()].flatMap((trail) => trail.at ?? []),
  )
  return searches.map((search): Whereabouts => {
    const trail = trails.get(search)
    if (!trail) return { state: 'here' }
    if (trail.places.length === 0 && trail.at === search.path) return { state: 'no news' }
    if (trail.at === undefined || !targets.has(trail.at)) return { state: 'lost' }
    return { state: 'moved', movedTo: trail.at, places: trail.places }
  })
}

/** The way of a folder: where it is, undefined if it was deleted, and its places before, oldest first. */
type Trail = { at: string | undefined; places: FolderPlace[]; after: number; isStart: boolean }

/** Follows folders from move to move, all of them one step at a time. Each step is a later scan, so this ends. */
async function followTrails(clickhouse: ClickHouse, volume: CommittedVolume, gone: Search[]) {
  const trails = new Map(gone.map((search) => [search, startOf(search)]))
  for (let moving = [...trails.values()]; moving.length > 0;) {
    const ends = await endingsOf(clickhouse, volume, moving)
    const next: Trail[] = []
    for (const trail of moving) {
      const mine = ends.filter(({ path, toScan }) => path === trail.at && toScan > trail.after)
      // The tracked path may have been left several times, and the last time counts; later ones are left once.
      const end = trail.isStart ? mine.at(-1) : mine[0]
      if (!end || trail.at === undefined) continue
      trail.places = [...trail.places, { path: trail.at, beforeScan: end.toScan }]
      trail.at = await destinationOf(clickhouse, volume, end)
      Object.assign(trail, { after: end.toScan, isStart: false })
      if (trail.at !== undefined) next.push(trail)
    }
    moving = next
  }
  return trails
}

const startOf = ({ path, checkedScan, known }: Search): Trail =>
  known
    ? { at: known.movedTo, places: known.places, after: known.places.at(-1)?.beforeScan ?? 0, isStart: false }
    : { at: path, places: [], after: checkedScan, isStart: true }

/** The scan that no longer found a folder, and why. */
type Ending = { path: string; toScan: number; ended: string; movedTo: string }

async function destinationOf(clickhouse: ClickHouse, volume: CommittedVolume, end: Ending) {
  if (end.ended === 'moved') return end.movedTo
  return end.ended === 'deleted' ? homeOfContents(clickhouse, volume, end) : undefined
}

/** When folders at these paths ended, oldest first. */
async function endingsOf(clickhouse: ClickHouse, volume: CommittedVolume, trails: Trail[]): Promise<Ending[]> {
  const { volumeId, committedScan } = volume
  const paths = new Set(trails.flatMap(({ at }) => at ?? []))
  const places = [...paths].map((path) => ({ volumeId, path, isDirectory: true }))
  const rows = await rowsAt<Omit<Ending, 'path'>>(clickhouse, places, {
    columns: sql`toFloat64(to_scan) AS toScan, ended, moved_to AS movedTo`,
    from: sql`entry_history`,
    where: sql`is_directory AND ended != 'changed' AND to_scan <= ${committedScan}`,
  })
  return rows.toSorted((a, b) => a.toScan - b.toScan)
}

async function existing(clickhouse: ClickHouse, volume: CommittedVolume, paths: string[]): Promise<Set<string>> {
  const { volumeId } = volume
  const places = paths.map((path) => ({ volumeId, path: childrenOf(path).slice(0, -1), isDirectory: true }))
  const where = sql`is_directory AND ${isInPartitions([volume])}`
  const rows = await rowsAt(clickhouse, places, { columns: sql`1 AS found`, from: sql`entries`, where })
  return new Set(rows.map(({ path }) => path || '/'))
}
