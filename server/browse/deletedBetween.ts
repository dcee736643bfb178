import { asNumbers } from '#server/entries/index.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/sql.ts'
import { endedWithin, type ShownVolume } from '#server/snapshots/index.ts'
import type { Pair } from './changesBetween.ts'

/**
 * Which of the entries that the later snapshot has no more were deleted: neither moved nor left out by what scans look at.
 * What came to the same path since and was lost, too, is another entry.
 */
export async function deletedBetween(clickhouse: ClickHouse, pair: Pair, fileIds: string[]): Promise<Set<string>> {
  if (fileIds.length === 0) return new Set()
  const before = new Map(pair.before.volumes.map(({ volumeId, scanId }) => [volumeId, scanId]))
  const then = ({ volumeId, scanId }: ShownVolume) => before.get(volumeId) ?? scanId
  const rows = await clickhouse.rows<{ fileId: string }>(
    sql`
      SELECT leftPad(lower(hex(file_id)), 16, '0') AS fileId, argMin(ended, to_scan) AS loss FROM entry_history
      WHERE ${pair.where} AND ${endedWithin(pair.now.volumes, then, ({ scanId }) => scanId)}
        AND ended != 'changed' AND file_id IN ${asNumbers(fileIds)}
      GROUP BY file_id HAVING loss = 'deleted'`,
    { quick: true },
  )
  return new Set(rows.map(({ fileId }) => fileId))
}
