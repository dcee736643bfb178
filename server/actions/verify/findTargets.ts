import type { Job } from '#events/jobs/events.ts'
import { payloadOf } from '#events/jobs/payloads.ts'
import { shownName } from '#events/sources/p5Names.ts'
import { namesOf } from '#events/sources/pathMapping.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Snapshot } from '#server/snapshots/reading/snapshotAt.ts'
import { type PlacedFolder, placedFolders } from '../plans/places.ts'

/**
 * The folders of our storages that the files of a job should be in afterwards, among those of volumes that were scanned since: of the indexes that
 * it archived to, or of the storages that it restored to the original places of. None for other actions, and for other folders.
 */
export async function findTargets(
  { db }: Pick<Platform, 'db'>,
  job: Job,
  snapshot: Snapshot,
  scannedSince: readonly number[],
): Promise<PlacedFolder[]> {
  const archive = payloadOf(job, 'ARCHIVE_ARCHIWARE_FILES') ?? payloadOf(job, 'ARCHIVE_ARCHIWARE_SEARCH_RESULT')
  const restore = payloadOf(job, 'RESTORE_ARCHIWARE_FILES') ?? payloadOf(job, 'RESTORE_ARCHIWARE_SEARCH_RESULT')
  if (archive?.indexroot === '') {
    const indexes = await db
      .selectFrom('archiwares')
      .select(['volumeId', 'path'])
      .where('credentialId', '=', archive.credentialsId)
      .where('volumeId', 'in', [0, ...scannedSince])
      .execute()
    return indexes.map(({ volumeId, path }) => ({ volumeId, folder: '/', target: pathInIndex(path) }))
  }
  if (restore?.relocate !== null) return []
  const volumes = snapshot.volumes.filter(({ volumeId }) => scannedSince.includes(volumeId))
  return placedFolders(volumes, snapshot.archives.mappings)
}

/** A folder of an index, as P5 shows names. */
const pathInIndex = (path: string): string => `/${namesOf(path).map(shownName).join('/')}`
