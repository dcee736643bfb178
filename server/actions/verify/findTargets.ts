import type { Job } from '#events/jobs/events.ts'
import { payloadOf } from '#events/jobs/payloads.ts'
import { shownName } from '#events/sources/p5Names.ts'
import { isPrefix, namesOf, pathWithin } from '#events/sources/pathMapping.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { Snapshot } from '#server/snapshots/reading/snapshotAt.ts'
import { type PlacedFolder, placedFolders } from '../plans/places.ts'
import { type SodaFolder, sodaFolders } from '../transfers/mappings.ts'

/** Folders to look for the files of a job in. P5 keeps the times of files; other copies may have new ones. */
type Targets = { folders: PlacedFolder[]; keepsTimes: boolean }

/**
 * The folders of our storages that the files of a job should be in afterwards, among those of volumes that were scanned since: of the indexes that
 * it archived to, of the storages that it restored to the original places of, or of the mapped storage that it transferred to. None for other
 * actions, for other folders, and if a transfer may have renamed files.
 */
export async function findTargets(
  { db }: Pick<Platform, 'db'>,
  job: Job,
  snapshot: Snapshot,
  scannedSince: readonly number[],
): Promise<Targets> {
  const volumes = snapshot.volumes.filter(({ volumeId }) => scannedSince.includes(volumeId))
  const archive = payloadOf(job, 'ARCHIVE_ARCHIWARE_FILES') ?? payloadOf(job, 'ARCHIVE_ARCHIWARE_SEARCH_RESULT')
  const restore = payloadOf(job, 'RESTORE_ARCHIWARE_FILES') ?? payloadOf(job, 'RESTORE_ARCHIWARE_SEARCH_RESULT')
  const transfer = payloadOf(job, 'SODA_TRANSFER') ?? payloadOf(job, 'SODA_TRANSFER_SEARCH_RESULT')
  if (archive?.indexroot === '')
    return { folders: await indexesOf(db, archive.credentialsId, scannedSince), keepsTimes: true }
  if (restore?.relocate === null)
    return { folders: placedFolders(volumes, snapshot.archives.mappings), keepsTimes: true }
  if (transfer && transfer.conflictHandling !== 'RENAME')
    return { folders: foldersBelow(transfer.target, await sodaFolders(db), scannedSince), keepsTimes: false }
  return { folders: [], keepsTimes: false }
}

async function indexesOf(db: Db, credentialId: number, scannedSince: readonly number[]): Promise<PlacedFolder[]> {
  const indexes = await db
    .selectFrom('archiwares')
    .select(['volumeId', 'path'])
    .where('credentialId', '=', credentialId)
    .where('volumeId', 'in', [0, ...scannedSince])
    .execute()
  return indexes.map(({ volumeId, path }) => ({ volumeId, folder: '/', target: pathInIndex(path) }))
}

/** A folder of an index, as P5 shows names. */
const pathInIndex = (path: string): string => `/${namesOf(path).map(shownName).join('/')}`

/** Mapped folders that are in the target of a transfer, or that it is in. Files keep the paths of their sources below the target. */
const foldersBelow = (
  target: { storageId: string; path: string },
  folders: readonly SodaFolder[],
  scannedSince: readonly number[],
): PlacedFolder[] =>
  folders.flatMap(({ volumeId, storageId, folder, sodaPath }) => {
    if (storageId !== target.storageId || !scannedSince.includes(volumeId)) return []
    if (isPrefix(sodaPath, target.path))
      return [{ volumeId, folder: `${folder}${pathWithin(sodaPath, target.path)}/`, target: '/' }]
    if (isPrefix(target.path, sodaPath))
      return [{ volumeId, folder: `${folder}/`, target: pathWithin(target.path, sodaPath) }]
    return []
  })
