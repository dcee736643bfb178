import type { Stores } from '#server/platform/platform.ts'
import { sql, text, typed } from '#server/platform/clickhouse/sql.ts'
import { deleteFrom } from '#server/platform/clickhouse/statements.ts'
import { firstLiveScan, partitionsOf } from '#server/content/snapshots/reading/entriesAt.ts'
import type { LiveState } from './applyFlush.ts'

/** Removes what a flush that was interrupted wrote, since the next one has its number. */
export async function removeInterrupted({ clickhouse }: Pick<Stores, 'clickhouse'>, state: LiveState): Promise<void> {
  const { volumeId, liveGeneration, flush, asOf } = state
  const [own] = partitionsOf([{ volumeId, generation: liveGeneration, layers: [] }])
  const partition = text(`(${Number(volumeId)}, ${Number(liveGeneration)})`)
  const unshown = {
    entries: sql`_partition_id = ${own} AND from_scan > ${firstLiveScan + flush}`,
    ended_rows: sql`_partition_id = ${own} AND flush > ${flush}`,
    live_changes: sql`volume = ${volumeId} AND at > fromUnixTimestamp64Milli(${typed(asOf?.getTime() ?? 0, 'Int64')}, 'UTC')`,
  }
  const counts = await clickhouse.one<Record<keyof typeof unshown, number>>(sql`
    SELECT (SELECT count() FROM entries WHERE ${unshown.entries}) AS entries, (SELECT count() FROM ended_rows WHERE ${unshown.ended_rows}) AS ended_rows,
      (SELECT count() FROM live_changes WHERE ${unshown.live_changes}) AS live_changes`)
  for (const table of ['entries', 'ended_rows', 'live_changes'] as const)
    if (Number(counts[table]) > 0)
      await clickhouse.command(deleteFrom(table, unshown[table], table === 'live_changes' ? undefined : partition))
}
