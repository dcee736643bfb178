import { sql as postgres } from 'kysely'
import { migratedFiles, notOnDisk } from '#events/actions/contents.ts'
import type { PayloadOf } from '#events/jobs/payloads.ts'
import type { ComparisonJobType } from '#events/jobs/types.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { Snapshot } from '#server/snapshots/reading/snapshotAt.ts'
import { type ActionPlanning, areIn, leftOutBy, noFile, partPerVolume, volumesOf } from '../plans/parts.ts'

/**
 * Compares duplicates of local file storages: one part for each storage, at its agent. The place of a file is its set of duplicates. Agents mount
 * network shares for scans only, and read PowerScale clusters by their API, so files there have no path to read. Files that an archive system has
 * moved elsewhere are left out unless the user includes them.
 */
export async function planComparison(
  { db }: Pick<Platform, 'db'>,
  { includesOffline = false }: PayloadOf<ComparisonJobType>,
  snapshot: Snapshot,
): Promise<ActionPlanning> {
  const onFileStorages = volumesOf(snapshot, 'file')
  const local = onFileStorages.filter(({ type }) => type === 'crawl.files')
  const { part, parts } = await partPerVolume(db, local)
  const showing = includesOffline ? [] : await volumesShowingBlocks(db, local)
  return {
    plan: {
      place: sql`toString(identification_hash)`,
      part,
      leftOut: leftOutBy(
        [sql`NOT ${areIn(onFileStorages)}`, "Contents of buckets and archives can't be compared"],
        [sql`NOT ${areIn(local)}`, 'Not on a local file storage'],
        ...noFile,
        [sql`identification_hash = 0`, 'Not a duplicate'],
        [sql`${areIn(showing)} AND ${isOffDisk}`, notOnDisk],
      ),
    },
    parts,
  }
}

/** Not `isOnDisk`. An unknown space is negative. */
const isOffDisk: Sql = sql`(size > ${migratedFiles.inlineBytes} AND allocated_size >= 0
  AND allocated_size * ${migratedFiles.minShare} < size)`

/** Storages where the space of a file on disk says if its content is there: all but those on a server that reports none for any file. */
export async function volumesShowingBlocks<Volume extends { volumeId: number }>(
  db: Db,
  volumes: readonly Volume[],
): Promise<Volume[]> {
  const scans = await db
    .selectFrom('scans')
    .distinctOn('volumeId')
    .select(['volumeId', postgres<boolean>`announced ? 'hidesBlocks'`.as('hidesBlocks')])
    .where('volumeId', 'in', [0, ...volumes.map(({ volumeId }) => volumeId)])
    .where('scannedPath', '=', '')
    .where('state', 'in', ['done', 'partial'])
    .orderBy('volumeId')
    .orderBy('id', 'desc')
    .execute()
  const hiding = new Set(scans.flatMap(({ volumeId, hidesBlocks }) => (hidesBlocks ? [volumeId] : [])))
  return volumes.filter(({ volumeId }) => !hiding.has(volumeId))
}
