import { sql as postgres } from 'kysely'
import { migratedFiles, notOnDisk } from '#events/actions/contents.ts'
import { configuredNumber } from '#server/access/configurations/index.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { ActionHandler } from '../kit/handler.ts'
import { areIn, localVolumes, noFile, planPerVolume, type Rule } from '../kit/parts.ts'
import { storeContents } from './storeContents.ts'
import { markUnlike } from './unlikeOthers.ts'

/**
 * Compares duplicates of local file storages: one part for each storage, at its agent. The place of a file is its set of duplicates. Files that
 * an archive system has moved elsewhere are left out unless the user includes them.
 */
export const compare: ActionHandler<'compare'> = {
  async plan({ db }, { includesOffline = false }, snapshot) {
    const { local, rules } = localVolumes(snapshot, "Contents of buckets and archives can't be compared")
    return planPerVolume(
      db,
      local,
      sql`toString(identification_hash)`,
      ...rules,
      ...noFile,
      [sql`identification_hash = 0`, 'Not a duplicate'],
      ...(includesOffline ? [] : [await offDiskRule(db, local)]),
    )
  },
  async order({ db }, { includesOffline = false }, volumeId) {
    const bytesPerSecond = await configuredNumber(db, 'comparisonBytesPerSecond')
    const onDiskOnly = !includesOffline && (await showsBlocks(db, volumeId))
    return { kind: 'compare', bytesPerSecond, ...(onDiskOnly && { onDiskOnly }) }
  },
  results: {
    complete: ({ clickhouse }, { selection }, files) => markUnlike(clickhouse, selection, files),
    store: storeContents,
    topic: 'contents',
  },
}

/** Not `isOnDisk`. An unknown space is negative. */
const isOffDisk: Sql = sql`(size > ${migratedFiles.inlineBytes} AND allocated_size >= 0
  AND allocated_size * ${migratedFiles.minShare} < size)`

/** Leaves out files that an archive system has moved elsewhere. */
export async function offDiskRule(db: Db, volumes: readonly { volumeId: number }[]): Promise<Rule> {
  return [sql`(${areIn(await volumesShowingBlocks(db, volumes))} AND ${isOffDisk})`, notOnDisk]
}

/** Returns whether the space of a file on disk says if its content is there. */
export const showsBlocks = async (db: Db, volumeId: number): Promise<boolean> =>
  (await volumesShowingBlocks(db, [{ volumeId }])).length > 0

/** Storages where the space of a file on disk says if its content is there: all but those on a server that reports none for any file. */
async function volumesShowingBlocks<Volume extends { volumeId: number }>(
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
