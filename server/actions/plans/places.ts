import { fullPathOf } from '#events/sources/fullPath.ts'
import { foldersWithMapping, globalMapping, mapPath, type PathMapping } from '#events/sources/pathMapping.ts'
import { join, type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import type { ShownVolume } from '#server/snapshots/reading/snapshotAt.ts'

/** Entries of a volume below `folder`, `/` or `/a/b/`, have their place below `target`, except in deeper folders of the list. */
export type PlacedFolder = { volumeId: number; folder: string; target: string }

/** The placed folders of volumes, deepest first. Paths without a mapping are unchanged if `keepsUnmapped`, else they have no place. */
export const placedFolders = (
  volumes: readonly ShownVolume[],
  mappings: readonly PathMapping[],
  keepsUnmapped: boolean,
): PlacedFolder[] =>
  volumes
    .flatMap(({ volumeId, root }) => {
      const own = mappings.filter((mapping) => [volumeId, globalMapping].includes(mapping.volumeId))
      return foldersWithMapping(root, own).flatMap((names): PlacedFolder[] => {
        const path = fullPathOf(root, `/${names.join('/')}`)
        const target = mapPath(own, path, 'fromDataIntell') ?? (keepsUnmapped ? path : undefined)
        return target === undefined
          ? []
          : [{ volumeId, folder: names.map((name) => `/${name}`).join('') + '/', target }]
      })
    })
    .toSorted((a, b) => b.folder.length - a.folder.length)

/** A path that begins with a drive or a share of Windows. */
const ofWindows = /^([a-z]:)?\\/i

/** Expression: the place of an entry by its `volume` and `path`; '' without one. */
export const placeOf = (folders: readonly PlacedFolder[]): Sql =>
  folders.length === 0
    ? sql`''`
    : sql`multiIf(${join(
        folders.map(({ volumeId, folder, target }) => {
          const separator = ofWindows.test(target) ? '\\' : '/'
          const rest = sql`substring(path, ${Buffer.byteLength(folder) + 1})`
          const base = target.endsWith(separator) ? target : target + separator
          return sql`volume = ${volumeId} AND startsWith(path, ${folder}), concat(${base}, ${separator === '/' ? rest : sql`replaceAll(${rest}, '/', ${separator})`})`
        }),
        ', ',
      )}, '')`
