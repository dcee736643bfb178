import type { ArchivedTotals } from '#events/search/archived.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { keyOf, sql } from '#server/platform/clickhouse/sql.ts'
import { entriesAt } from '#server/content/snapshots/reading/entriesAt.ts'
import type { Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import { archiveConditions } from './archivedIn.ts'
import { archiveIndexes, comparedVolumes } from './mappedFolders.ts'

type Counts = Record<`${'archived' | 'known' | 'all'}${'Count' | 'Size'}`, number>

/** Maximum duration of counting, which reads the whole storage. */
const seconds = 300

/** Number of storages whose totals are kept. */
const maxKept = 200

/**
 * Counts the files of a storage by archive state. Totals are kept: they only change with a scan of the storage or of an
 * index, and with a mapping, which are all part of the statement.
 */
export function openArchivedTotals(clickhouse: ClickHouse) {
  const kept = new Map<string, Promise<Counts>>()
  return async (snapshot: Snapshot, volumeId: number): Promise<ArchivedTotals | null> => {
    const volume = comparedVolumes(snapshot).find((one) => one.volumeId === volumeId)
    if (!volume) return null
    const { isKnown, isArchived } = archiveConditions(snapshot, [{ volumeId, folder: '/' }])
    const statement = sql`
      SELECT
        countIf(is_archived) AS archivedCount, sumIf(bytes, is_archived) AS archivedSize,
        countIf(is_known) AS knownCount, sumIf(bytes, is_known) AS knownSize, count() AS allCount, sum(bytes) AS allSize
      FROM (
        SELECT toFloat64(greatest(counted_size, 0)) AS bytes, ${isKnown} AS is_known, is_known AND ${isArchived} AS is_archived
        FROM ${entriesAt({ ...snapshot, volumes: [volume] })} WHERE NOT is_directory)`
    const key = keyOf(statement)
    const counting = kept.get(key) ?? clickhouse.one<Counts>(statement, { heavy: true, seconds })
    kept.delete(key)
    kept.set(key, counting)
    counting.catch(() => kept.delete(key))
    for (const old of [...kept.keys()].slice(0, -maxKept)) kept.delete(old)
    return totalsOf(
      await counting,
      archiveIndexes(snapshot).map(({ index }) => index.name),
    )
  }
}

const totalsOf = (counts: Counts, indexes: string[]): ArchivedTotals => ({
  archived: { count: counts.archivedCount, size: counts.archivedSize },
  changed: { count: counts.knownCount - counts.archivedCount, size: counts.knownSize - counts.archivedSize },
  notArchived: { count: counts.allCount - counts.knownCount, size: counts.allSize - counts.knownSize },
  indexes,
})
