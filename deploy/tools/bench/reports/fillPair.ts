import type { Stores } from '#server/platform/platform.ts'
import { sql, text } from '#server/platform/clickhouse/sql.ts'
import { insertInto, optimizeTable } from '#server/platform/clickhouse/statements.ts'

export type Pair = { reference: number; comparison: number; shared: number }

/** Fills two storages with this many files each, half of which are in both, in the newest snapshot. */
export async function fillPair(stores: Stores, files: number): Promise<Pair> {
  const shared = Math.floor(files / 2)
  return {
    reference: await fillVolume(stores, { name: 'reference', files, first: 0 }),
    comparison: await fillVolume(stores, { name: 'comparison', files, first: files - shared }),
    shared,
  }
}

const indexingDate = '2026-01-01'
type Filled = { name: string; files: number; first: number }

/** Files of the same number have the same hash in both storages. */
async function fillVolume({ db, clickhouse }: Stores, { name, files, first }: Filled): Promise<number> {
  const made = db
    .insertInto('volumes')
    .values({ name, path: `/mnt/${name}` })
    .returning('id')
  const { id: volumeId } = await made.executeTakeFirstOrThrow()
  const generation = 1_000_000 + volumeId
  const scan = { volumeId, jobId: volumeId, taskId: volumeId, agentId: 1, state: 'done' as const, indexingDate }
  const scanned = db
    .insertInto('scans')
    .values({ ...scan, files, bytes: files * 4096 })
    .returning('id')
  const { id: scanId } = await scanned.executeTakeFirstOrThrow()
  const rows = sql`
    SELECT ${volumeId}, ${generation}, ${scanId}, concat('/', leftPad(toString(intDiv(number, 1000)), 6, '0'), '/'),
      concat('file ', leftPad(toString(number % 1000), 3, '0'), '.mov'), false, 2, 4096, sipHash64(number + ${first})
    FROM numbers(${files})`
  const columns = 'volume, generation, from_scan, parent_path, name, is_directory, depth, size, identification_hash'
  await clickhouse.command(insertInto('entries', rows, columns))
  await clickhouse.command(optimizeTable('entries', text(`PARTITION (${volumeId}, ${generation}) FINAL`)))
  await db.insertInto('snapshots').values({ indexingDate, volumeId, scanId }).execute()
  await db.updateTable('volumes').set({ committedScan: scanId, generation }).where('id', '=', volumeId).execute()
  return volumeId
}
