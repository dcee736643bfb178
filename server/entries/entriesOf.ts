import type { Sql } from '#server/platform/sql.ts'
import { entriesAt, type Snapshot } from '#server/snapshots/index.ts'

/** The entries of a snapshot in some storages, or in all when none is named; to stand in a FROM. */
export function entriesOf(snapshot: Snapshot, storages: readonly number[]): Sql {
  const isMeant = ({ volumeId }: { volumeId: number }) => storages.length === 0 || storages.includes(volumeId)
  return entriesAt({ ...snapshot, volumes: snapshot.volumes.filter(isMeant) })
}
