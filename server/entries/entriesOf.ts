import type { Sql } from '#server/platform/clickhouse/sql.ts'
import { entriesAt } from '#server/snapshots/reading/entriesAt.ts'
import type { Snapshot } from '#server/snapshots/reading/snapshotAt.ts'

/** A snapshot limited to some storages; unchanged for an empty list. */
export function inStorages(snapshot: Snapshot, storages: readonly number[]): Snapshot {
  const isMeant = ({ volumeId }: { volumeId: number }) => storages.length === 0 || storages.includes(volumeId)
  return { ...snapshot, volumes: snapshot.volumes.filter(isMeant) }
}

/** The entries of a snapshot in some storages, or in all for an empty list; for use in a FROM. */
export const entriesOf = (snapshot: Snapshot, storages: readonly number[]): Sql =>
  entriesAt(inStorages(snapshot, storages))
