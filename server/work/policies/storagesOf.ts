import { sql } from '#server/platform/clickhouse/sql.ts'
import type { Stores } from '#server/platform/platform.ts'
import { rowsOfSelection } from '#server/questions/selections/index.ts'

/** Files of a plan on one storage, and all bytes of its newest scan. */
export type PlannedStorage = { name: string; files: number; bytes: number; totalBytes: number }

/** Counts the files that a plan acts on, by storage. */
export async function countByStorage({ clickhouse }: Stores, selectionId: number) {
  const { from, where } = rowsOfSelection(selectionId)
  return clickhouse.rows<{ volumeId: number; files: number; bytes: number }>(
    sql`
      SELECT volume AS volumeId, count() AS files, sum(toFloat64(greatest(size, 0))) AS bytes FROM ${from} WHERE ${where} AND left_out = ''
      GROUP BY volume ORDER BY volume`,
    { heavy: true },
  )
}

export async function storagesOf(stores: Stores, selectionId: number): Promise<PlannedStorage[]> {
  const counted = await countByStorage(stores, selectionId)
  const volumes = await stores.db
    .selectFrom('volumes')
    .leftJoin('scans', 'scans.id', 'committedScan')
    .select(['volumes.id', 'name', 'scans.bytes'])
    .where('volumes.id', 'in', [0, ...counted.map(({ volumeId }) => volumeId)])
    .execute()
  return counted.map(({ volumeId, files, bytes }) => {
    const volume = volumes.find(({ id }) => id === volumeId)
    return { name: volume?.name ?? String(volumeId), files, bytes, totalBytes: volume?.bytes ?? 0 }
  })
}
