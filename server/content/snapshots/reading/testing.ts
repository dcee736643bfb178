import { sql as postgres } from 'kysely'
import { now } from '#events/contract/endpoint.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import type { Stores } from '#server/platform/platform.ts'
import { firstLiveScan, isInPartitions } from './entriesAt.ts'
import { snapshotOrEmpty } from './snapshotAt.ts'

type Copy = {
  /** Path of the copied entry, such as '/a/b'. */
  path: string
  isDirectory: boolean
  /** Path of the folder that the copy is in; '' is the root. */
  into: string
  name: string
}

/** Generations that no commit of a test reaches. */
let nextGeneration = 1_000_000

/**
 * Adds a flush to the live state of a volume and shows it, as of a time: in it an entry of before has a copy with another name. A copied folder is
 * empty. The state is based on the committed scan.
 */
export async function flushCopy(
  { db, clickhouse }: Stores,
  volumeId: number,
  { path, isDirectory, into, name }: Copy,
  asOf = new Date(),
): Promise<void> {
  const snapshot = await snapshotOrEmpty(db, 'everything', now)
  const shown = snapshot.volumes.filter((one) => one.volumeId === volumeId)
  const { generation, flush } = shown[0]?.live ?? { generation: nextGeneration++, flush: 0 }
  const isShown = isInPartitions(shown)
  // Rows of before have no numbers.
  await clickhouse.command(sql`
    ALTER TABLE entries UPDATE row_id = cityHash64(generation, from_scan, parent_path, name, is_directory)
    WHERE volume = ${volumeId} AND row_id = 0 SETTINGS mutations_sync = 2`)
  const above = into.split('/').map((_, end, names) => names.slice(0, end + 1).join('/'))
  const isIt = sql`${isShown} AND is_directory = ${isDirectory} AND concat(parent_path, name) = ${path}`
  const isAbove = sql`${isShown} AND is_directory AND concat(parent_path, name) IN ${above}`
  const added = sql`toInt64(${isDirectory ? 0 : 1}) * (SELECT greatest(size, 0) FROM entries WHERE ${isIt})`
  const written = sql`toUInt32(${generation}) AS generation, toUInt64(${firstLiveScan + flush + 1}) AS from_scan, rand64() AS row_id`
  const ended = sql`INSERT INTO ended_rows (volume, generation, row_id, flush)
    SELECT volume, ${generation}, row_id, ${flush + 1} FROM entries WHERE ${isAbove}`
  const copied = sql`INSERT INTO entries SELECT * REPLACE (${written}, ${`${into}/`} AS parent_path, ${name} AS name, '' AS folded_name,
      '' AS previous_path, toUInt16(${above.length}) AS depth, toUInt64(0) AS inode, toInt64(0) AS repeated_size,
      if(is_directory, 0, size) AS size, -1 AS allocated_size, toUInt64(0) AS files, toUInt64(0) AS folders)
    FROM (SELECT * FROM entries WHERE ${isIt})`
  const grown = sql`INSERT INTO entries SELECT * REPLACE (${written}, size + ${added} AS size,
      allocated_size + ${added} AS allocated_size, files + ${isDirectory ? 0 : 1} AS files, folders + ${isDirectory ? 1 : 0} AS folders)
    FROM (SELECT * FROM entries WHERE ${isAbove})`
  // The state before is read by all of them, so the last one that changes what it has is `ended`.
  for (const statement of [copied, grown, ended]) await clickhouse.command(statement)
  await postgres`
    INSERT INTO live_volumes (volume_id, session, base_scan, generation, flush, as_of, seen_at)
    SELECT id, gen_random_uuid(), committed_scan, ${generation}, ${flush + 1}, ${asOf}, ${asOf} FROM volumes WHERE id = ${volumeId}
    ON CONFLICT (volume_id) DO UPDATE SET flush = excluded.flush, as_of = excluded.as_of, base_scan = excluded.base_scan`.execute(
    db,
  )
}
