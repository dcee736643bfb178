import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { chunksOf } from '#server/platform/clickhouse/chunks.ts'
import { type Sql, sql, text } from '#server/platform/clickhouse/sql.ts'

/** The identity of an entry on every date until it is moved; a file and a folder may share a path. */
export type Place = { volumeId: number; path: string; isDirectory: boolean }

export const placeKey = ({ volumeId, path, isDirectory }: Place): string => `${volumeId}:${isDirectory}:${path}`

/** A place in the columns of the entry tables. */
export const placeColumns = text('volume, parent_path, name, is_directory')
export type PlaceColumns = { volume: number; parent_path: string; name: string; is_directory: boolean }

export const placeOf = ({ volume, parent_path, name, is_directory }: PlaceColumns): Place => ({
  volumeId: volume,
  path: parent_path + name,
  isDirectory: is_directory,
})

/** The `parent_path` and the `name` of an entry with this path. */
export const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** The place of a row as a number: computing it takes a quarter of the time of the file id. */
export const placeHash = sql`cityHash64(volume, parent_path, name, is_directory)`

/** Reads rows of a table at any of these places, each with its place. */
export async function rowsAt<Row>(
  clickhouse: ClickHouse,
  places: readonly Place[],
  { columns, from, where }: { columns: Sql; from: Sql; where: Sql },
): Promise<(Place & Row)[]> {
  const read = async (piece: Place[]) => {
    const rows = await clickhouse.rows<PlaceColumns & Row>(
      sql`SELECT ${placeColumns}, ${columns} FROM ${from} WHERE ${mayBeOneOf(piece)} AND ${where}`,
      { quick: true },
    )
    const wanted = new Set(piece.map(placeKey))
    return rows.map((row) => ({ ...row, ...placeOf(row) })).filter((row) => wanted.has(placeKey(row)))
  }
  return (await Promise.all(chunksOf(places, ({ path }) => path).map(read))).flat()
}

/**
 * Matches all places, and also rows with the folder of one and the name of another: comparing three lists is faster.
 */
const mayBeOneOf = (places: Place[]): Sql => {
  const anyOf = <T>(valueOf: (place: Place) => T) => [...new Set(places.map(valueOf))]
  return sql`volume IN ${anyOf(({ volumeId }) => volumeId)} AND parent_path IN ${anyOf(({ path }) => folderOf(path))}
    AND name IN ${anyOf(({ path }) => nameOf(path))}`
}
