import { sql } from '#server/platform/clickhouse/sql.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Snapshot } from '#server/snapshots/reading/snapshotAt.ts'
import { type ActionPlanning, areIn, leftOutBy, noFile, partPerVolume, volumesOf } from '../plans/parts.ts'

/**
 * Compares duplicates of local file storages: one part for each storage, at its agent. The place of a file is its set of duplicates. Agents mount
 * network shares for scans only, and read PowerScale clusters by their API, so files there have no path to read.
 */
export async function planComparison(
  { db }: Pick<Platform, 'db'>,
  _: unknown,
  snapshot: Snapshot,
): Promise<ActionPlanning> {
  const onFileStorages = volumesOf(snapshot, 'file')
  const local = onFileStorages.filter(({ type }) => type === 'crawl.files')
  const { part, parts } = await partPerVolume(db, local)
  return {
    plan: {
      place: sql`toString(identification_hash)`,
      part,
      leftOut: leftOutBy(
        [sql`NOT ${areIn(onFileStorages)}`, "Contents of buckets and archives can't be compared"],
        [sql`NOT ${areIn(local)}`, 'Not on a local file storage'],
        ...noFile,
        [sql`identification_hash = 0`, 'Not a duplicate'],
      ),
    },
    parts,
  }
}
