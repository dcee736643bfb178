import type { ArchiveState } from '#events/search/archived.ts'
import { type Sql, sql, typed } from '#server/platform/clickhouse/sql.ts'
import type { Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import { archivedFiles, indexFolder } from './archivedFiles.ts'
import { comparedVolumes, type MappedFolder, mappedFolders, type Scope } from './mappedFolders.ts'

/** Condition: an entry is a file that has a state. */
export const isCompared = (snapshot: Snapshot): Sql =>
  sql`(NOT is_directory AND volume IN ${typed(
    comparedVolumes(snapshot).map(({ volumeId }) => volumeId),
    'Array(UInt32)',
  )})`

/** Conditions on compared files in the scopes: an index has a version of it, and one with the same size and time. */
export function archiveConditions(snapshot: Snapshot, scopes?: readonly Scope[]): { isKnown: Sql; isArchived: Sql } {
  const versions = archivedFiles(snapshot, scopes)
  if (!versions) return { isKnown: sql`0`, isArchived: sql`0` }
  const isInScopes = ({ volumeId }: MappedFolder) => scopes?.some((scope) => scope.volumeId === volumeId) ?? true
  const folder = indexFolder(mappedFolders(snapshot).filter(isInScopes))
  return {
    isKnown: sql`cityHash64(${folder}, name) IN (SELECT cityHash64(index_folder, name) FROM ${versions})`,
    isArchived: sql`cityHash64(${folder}, name, size, modified) IN (
      SELECT cityHash64(index_folder, name, size, modified) FROM ${versions}
      WHERE size >= 0 AND toUnixTimestamp(modified) > 0)`,
  }
}

/**
 * Condition: a file has one of these states. `scopes` are the folders with all files of the query, if known, so that
 * fewer versions are read.
 */
export function archivedIn(snapshot: Snapshot, states: readonly ArchiveState[], scopes?: readonly Scope[]): Sql {
  const { isKnown, isArchived } = archiveConditions(snapshot, scopes)
  const has = (state: ArchiveState) => states.includes(state)
  return sql`(${isCompared(snapshot)} AND ${stateCondition()})`

  function stateCondition(): Sql {
    if (has('archived')) {
      if (has('changed')) return has('notArchived') ? sql`1` : isKnown
      return has('notArchived') ? sql`(${isArchived} OR NOT ${isKnown})` : isArchived
    }
    if (has('changed')) return has('notArchived') ? sql`NOT ${isArchived}` : sql`(${isKnown} AND NOT ${isArchived})`
    return has('notArchived') ? sql`NOT ${isKnown}` : sql`0`
  }
}
