import { readPlace, type SearchFilters } from '#events/search/filters.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { deletedAt, type Snapshot, sourceAt } from '#server/snapshots/index.ts'
import { matching } from './matching.ts'

/** Entries that a question is about: where they are read, and which of them. */
export type EntrySelection = {
  snapshot: Snapshot
  from: Sql
  where: Sql
  /** They are what the snapshot lists as deleted, or each says it by a column `is_deleted`. */
  deleted: boolean | 'each'
  /** The question reads whole volumes: such ones wait for each other, so that small ones do not wait. */
  heavy: boolean
  /** The list has to be there at once: copies are not told where that takes long. */
  quick?: boolean
}

/** The files, or the folders, of a snapshot that match; a volume's own root is no folder in it. */
export async function selectEntries(
  db: Db,
  snapshot: Snapshot,
  filters: SearchFilters,
  kind: 'files' | 'folders',
): Promise<EntrySelection> {
  const deleted = filters.showOnlyDeletedFiles === true
  const asked = { ...snapshot, volumes: selectVolumes(snapshot, filters) }
  const isKind = kind === 'files' ? sql`NOT is_directory` : sql`is_directory AND parent_path != ''`
  const { from, where } = deleted ? { from: await deletedAt(db, asked), where: sql`1` } : sourceAt(asked)
  return {
    snapshot,
    from,
    where: sql`${where} AND ${isKind} AND ${matching(filters, snapshot, kind)}`,
    deleted,
    heavy: !isWithinFolder(filters),
  }
}

function selectVolumes({ volumes }: Snapshot, filters: SearchFilters) {
  const ids = [...filters.volumeId, ...filters.storageId]
  const places = [...filters.storageAndPath, ...filters.volumeAndPath].map((text) => readPlace(text).volumeId)
  return volumes
    .filter(({ volumeId }) => ids.length === 0 || ids.includes(volumeId))
    .filter(({ volumeId }) => places.length === 0 || places.includes(volumeId))
}

const isWithinFolder = ({ startingPath, storageAndPath, volumeAndPath }: SearchFilters): boolean => {
  const places = [...storageAndPath, ...volumeAndPath].map((text) => readPlace(text).path)
  return (startingPath ?? '/') !== '/' || (places.length > 0 && places.every((path) => path !== '/'))
}
