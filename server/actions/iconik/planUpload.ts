import { acceptsUploads } from '#events/actions/iconik.ts'
import type { PayloadOf } from '#events/jobs/payloads.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import type { Platform } from '#server/platform/platform.ts'
import { invalid } from '#server/platform/problem.ts'
import type { Snapshot } from '#server/snapshots/reading/snapshotAt.ts'
import { type ActionPlanning, areIn, partPerVolume, volumesOf } from '../plans/parts.ts'

/**
 * Uploads files of file storages: one part for each storage. Places are the paths in the storage. Of the results of a search, only those on
 * local file storages are uploaded. Throws 400 for a type of storage that takes no uploads.
 */
export async function planUpload(
  { db }: Pick<Platform, 'db'>,
  payload: PayloadOf<'ICONIK_UPLOAD' | 'ICONIK_UPLOAD_SEARCH_RESULT'>,
  snapshot: Snapshot,
): Promise<ActionPlanning> {
  const { storageId, storageType } = payload
  if (storageId === '') invalid('storageId', 'must not be empty')
  if (!acceptsUploads(storageType)) invalid('storageType', `${storageType} storages of Iconik take no uploads`)
  const isSearch = !('dataIntellPaths' in payload)
  const volumes = volumesOf(snapshot, 'file').filter(({ type }) => !isSearch || type === 'crawl.files')
  const { part, parts } = await partPerVolume(db, volumes)
  const elsewhere = isSearch ? 'Not on a local file storage' : 'Not on a file storage'
  return {
    plan: {
      place: sql`path`,
      part,
      leftOut: sql`multiIf(NOT ${areIn(volumes)}, ${elsewhere}, size < 0, 'No longer there', '')`,
    },
    parts,
  }
}
