import { readPlace, type SearchFilters } from '#events/search/filters.ts'
import { archivedIn, type Scope } from '#server/archived/index.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { all, type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { deletedAt, type Snapshot, sourceAt } from '#server/snapshots/index.ts'
import { childrenOf } from './inFolder.ts'
import { matching } from './matching.ts'

/** The entries of a query: their table and condition. */
export type EntrySelection = {
  snapshot: Snapshot
  from: Sql
  where: Sql
  /** True for deleted entries of the snapshot; "each" if a column `is_deleted` decides. */
  deleted: boolean | 'each'
  /** The query reads whole volumes: such queries wait for each other, so small ones don't wait. */
  heavy: boolean
  /** The list is needed at once: copies are left out if finding them takes long. */
  quick?: boolean
}

/** The matching files, or folders, of a snapshot; a volume's root is not a folder in it. */
export async function selectEntries(
  db: Db,
  snapshot: Snapshot,
  filters: SearchFilters,
  kind: 'files' | 'folders',
): Promise<EntrySelection> {
  const deleted = filters.showOnlyDeletedFiles === true
  const limited = { ...snapshot, volumes: selectVolumes(snapshot, filters) }
  const isKind = kind === 'files' ? sql`NOT is_directory` : sql`is_directory AND parent_path != ''`
  const { from, where } = deleted ? { from: await deletedAt(db, limited), where: sql`1` } : sourceAt(limited)
  return {
    snapshot,
    from,
    where: all([where, isKind, matching(filters, snapshot, kind), ...archived(filters, snapshot, limited)]),
    deleted,
    heavy: !isWithinFolder(filters),
  }
}

const archived = ({ archived, ...filters }: SearchFilters, snapshot: Snapshot, limited: Snapshot): Sql[] =>
  archived.length === 0 ? [] : [archivedIn(snapshot, archived, scopesOf(filters, limited))]

/** The folders of the filters, in all selected volumes if there is only a starting path. */
function scopesOf(filters: Omit<SearchFilters, 'archived'>, { volumes }: Snapshot): Scope[] {
  const places = [...filters.storageAndPath, ...filters.volumeAndPath].map(readPlace)
  if (places.length > 0) return places.map(({ volumeId, path }) => ({ volumeId, folder: childrenOf(path) }))
  return volumes.map(({ volumeId }) => ({ volumeId, folder: childrenOf(filters.startingPath ?? '/') }))
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
