import { acceptsUploads } from '#events/actions/iconik.ts'
import type { PayloadOf } from '#events/jobs/payloads.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import type { Platform } from '#server/platform/platform.ts'
import { invalid } from '#server/platform/problem.ts'
import type { Snapshot } from '#server/snapshots/reading/snapshotAt.ts'
import { type ActionPlanning, areIn, leftOutBy, partPerVolume, unsendable, volumesOf } from '../plans/parts.ts'

/**
 * Uploads files of local file storages: one part for each storage. Places are the paths in the storage. Agents mount network shares for scans
 * only, and read PowerScale clusters by their API, so files there have no path to read. Throws 400 for a type of storage that takes no uploads.
 */
export async function planUpload(
  { db }: Pick<Platform, 'db'>,
  { storageId, storageType }: PayloadOf<'ICONIK_UPLOAD' | 'ICONIK_UPLOAD_SEARCH_RESULT'>,
  snapshot: Snapshot,
): Promise<ActionPlanning> {
  if (storageId === '') invalid('storageId', 'must not be empty')
  if (!acceptsUploads(storageType)) invalid('storageType', `${storageType} storages of Iconik take no uploads`)
  const onFileStorages = volumesOf(snapshot, 'file')
  const local = onFileStorages.filter(({ type }) => type === 'crawl.files')
  const { part, parts } = await partPerVolume(db, local)
  return {
    plan: {
      place: sql`path`,
      part,
      leftOut: leftOutBy(
        [sql`NOT ${areIn(onFileStorages)}`, 'Not on a file storage'],
        [sql`NOT ${areIn(local)}`, 'Not on a local file storage'],
        ...unsendable,
      ),
    },
    parts,
  }
}
