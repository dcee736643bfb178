import { isPrefix, mappedFoldersOf, type PathMapping, pathWithin } from '#events/sources/pathMapping.ts'
import { join, type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import type { ShownVolume } from '#server/content/snapshots/reading/snapshotAt.ts'

/** Entries of a volume below `folder`, `/` or `/a/b/`, have their place below `target`, except in deeper folders of the list. */
export type PlacedFolder = { volumeId: number; folder: string; target: string }

/** The placed folders of volumes, deepest first. Paths without a mapping are unchanged. */
export const placedFolders = (volumes: readonly ShownVolume[], mappings: readonly PathMapping[]): PlacedFolder[] =>
  volumes
    .flatMap((volume) =>
      mappedFoldersOf(volume, mappings).map(({ names, target }) => ({
        volumeId: volume.volumeId,
        folder: names.map((name) => `/${name}`).join('') + '/',
        target,
      })),
    )
    .toSorted((a, b) => b.folder.length - a.folder.length)

/** A path that begins with a drive or a share of Windows. */
const ofWindows = /^([a-z]:)?\\/i

/** Expression: the place of an entry by its `volume` and `path`; '' without one. */
export const placeOf = (folders: readonly PlacedFolder[]): Sql =>
  folders.length === 0
    ? sql`''`
    : sql`multiIf(${join(
        folders.map(({ volumeId, folder, target }) => {
          const { base, separator } = baseOf(target)
          const rest = sql`substring(path, ${Buffer.byteLength(folder) + 1})`
          return sql`volume = ${volumeId} AND startsWith(path, ${folder}), concat(${base}, ${separator === '/' ? rest : sql`replaceAll(${rest}, '/', ${separator})`})`
        }),
        ', ',
      )}, '')`

/** Expression: the volume and the path of the entry with the place `place`, as tuples, for each folder that it may be in. */
export const spotsOf = (folders: readonly PlacedFolder[]): Sql =>
  sql`arrayFilter(spot -> spot.1 != 0, [${join(
    folders.map(({ volumeId, folder, target }) => {
      const { base, separator } = baseOf(target)
      const rest = sql`substring(place, ${Buffer.byteLength(base) + 1})`
      return sql`(if(startsWith(place, ${base}), toUInt32(${volumeId}), 0), concat(${folder}, ${separator === '/' ? rest : sql`replaceAll(${rest}, ${separator}, '/')`}))`
    }),
    ', ',
  )}])`

/** The folder with its separator at the end. */
function baseOf(folder: string): { base: string; separator: string } {
  const separator = ofWindows.test(folder) ? '\\' : '/'
  return { base: folder.endsWith(separator) ? folder : folder + separator, separator }
}

/** The path in a storage of a source, which has the full path, or the path in the storage as records have it. Undefined if it is elsewhere. */
export function pathOfSource(root: string, path: string): string | undefined {
  if (isPrefix(root, path)) return pathWithin(root, path) || '/'
  return path.startsWith('/') ? pathWithin('/', path) || '/' : undefined
}
