import type { IncludedPlace } from '#events/scans/lifecycle.ts'
import { type Sql, all, sql } from '#server/platform/clickhouse/sql.ts'

/** A folder of a storage whose files the storage `within` shows, too; '' for all of it. */
export type RepeatedPlace = { volumeId: number; path: string; within: number }

/** A storage, its agent, and the places in file systems that it includes; null if its scan is older than this information. */
export type VolumePlaces = { volumeId: number; agentId: number | null; places: readonly IncludedPlace[] | null }

/**
 * Folders whose files two storages of the same agent show: a storage within another, or the same folder by two paths. The outer storage
 * counts as the repetition; of two equal ones, the later.
 */
export function repeatedPlaces(volumes: readonly VolumePlaces[]): RepeatedPlace[] {
  const known = volumes.flatMap(({ places, ...volume }) => (places ? [{ ...volume, places }] : []))
  return known.flatMap((outer) =>
    known
      .filter((inner) => inner.volumeId !== outer.volumeId && inner.agentId === outer.agentId)
      .flatMap((inner) =>
        sharedPaths(outer, inner).map((path) => ({ volumeId: outer.volumeId, path, within: inner.volumeId })),
      ),
  )
}

type PlacedVolume = { volumeId: number; places: readonly IncludedPlace[] }

function sharedPaths(outer: PlacedVolume, inner: PlacedVolume): string[] {
  const paths = inner.places.flatMap((place) => {
    const around = outer.places.find(
      ({ fileSystem, root }) => fileSystem === place.fileSystem && isWithin(place.root, root),
    )
    if (!around || (around.root === place.root && !isRepetition(outer, inner, around, place))) return []
    return [around.path + (around.root === '/' ? place.root : place.root.slice(around.root.length)).replace(/^\/$/, '')]
  })
  return [...new Set(paths)]
}

/** Of two places that are the same folder, the one inside its storage repeats the other; else the one of the later storage. */
function isRepetition(outer: PlacedVolume, inner: PlacedVolume, around: IncludedPlace, place: IncludedPlace): boolean {
  const isInside = around.path !== ''
  return isInside === (place.path !== '') ? outer.volumeId > inner.volumeId : isInside
}

const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)

/** Condition: an entry is not repeated by another one of these storages. */
export function notRepeated(repeated: readonly RepeatedPlace[], volumes: readonly { volumeId: number }[]): Sql {
  const isShown = (id: number) => volumes.some(({ volumeId }) => volumeId === id)
  const places = repeated.filter(({ volumeId, within }) => isShown(volumeId) && isShown(within))
  return places.length === 0
    ? sql`1`
    : all(places.map(({ volumeId, path }) => sql`NOT (volume = ${volumeId} AND ${isIn(path)})`))
}

function isIn(path: string): Sql {
  if (path === '') return sql`1`
  const slash = path.lastIndexOf('/') + 1
  return sql`(startsWith(parent_path, ${`${path}/`}) OR (parent_path = ${path.slice(0, slash)} AND name = ${path.slice(slash)}))`
}
