import type { OptionsOf, Source } from '#events/actions/actions.ts'
import { isPrefix, mapPath, pathWithin } from '#events/sources/pathMapping.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import type { Platform } from '#server/platform/platform.ts'
import { invalid, Problem } from '#server/platform/problem.ts'
import type { Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import type { ActionHandler } from '../kit/handler.ts'
import { areIn, checkTarget, planPerVolume, unmapped, unsendable, volumesWith } from '../kit/parts.ts'
import { pathOfSource, type PlacedFolder, placeOf } from '../kit/places.ts'
import { type SodaFolder, sodaFolders } from './mappings.ts'
import { movesDeletedBy, sodaConnection } from './soda.ts'

type Options = OptionsOf<'transfer'>
type Target = Options['target']

/**
 * Transfers files of storages that the transfer service knows: one part for each storage. Places are paths there. Files that are below the target
 * already are left out. Refuses an invalid target, and one inside a folder that is transferred.
 */
export const transfer: ActionHandler<'transfer'> = {
  async plan({ db }, options, snapshot, selection) {
    const { target } = options
    if (target.storageId === '') invalid('target.storageId', 'must not be empty')
    checkTarget('target.path', target.path)
    const folders = await sodaFolders(db)
    if ('sources' in selection) checkOutside(selection.sources, target, folders, snapshot)
    const volumes = volumesWith(snapshot, folders)
    const place = placeOf(
      folders.map(({ volumeId, folder, sodaPath }) => ({ volumeId, folder: `${folder}/`, target: sodaPath })),
    )
    return planPerVolume(
      db,
      volumes,
      place,
      [unmapped(volumes, place), 'No SODA storage path'],
      [isInTarget(place, target, folders), 'Already in the target folder'],
      [await mayStay(db, options, volumes), 'Not on a local file storage, where an agent can delete it'],
      ...unsendable,
    )
  },
  async order(platform, { name, transferType, conflictHandling, target }, volumeId, jobId) {
    const mapping = (await sodaFolders(platform.db)).find((folder) => folder.volumeId === volumeId)
    if (!mapping) throw new Problem(409, 'The storage no longer has a SODA storage path configuration')
    const { isDirectory: _, ...place } = target
    return {
      kind: 'transfer',
      connection: await sodaConnection(platform),
      name: name.trim() || `DataIntell job ${jobId}`,
      transferType,
      deletedBy: await movesDeletedBy(platform),
      conflictHandling,
      sourceStorageId: mapping.storageId,
      target: place,
    }
  },
  /** None for a transfer that may have renamed files. */
  async targets({ db }, { transferType, conflictHandling, target }, _, scannedSince) {
    const folders = conflictHandling === 'RENAME' ? [] : foldersBelow(target, await sodaFolders(db), scannedSince)
    return { folders, keepsTimes: false, isMove: transferType === 'MOVE' }
  },
}

/** Mapped folders that are in the target of a transfer, or that it is in. Files keep the paths of their sources below the target. */
const foldersBelow = (
  target: Target,
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

/** Condition: an agent would have to delete a moved file, and can't reach it. Agents mount network shares for scans only. */
async function mayStay(db: Platform['db'], { transferType }: Options, volumes: Snapshot['volumes']): Promise<Sql> {
  const isByAgent = transferType === 'MOVE' && (await movesDeletedBy({ db })) === 'agent'
  return isByAgent ? areIn(volumes.filter(({ type }) => type !== 'crawl.files')) : sql`0`
}

/** Condition: a file is below the target, where a transfer could overwrite it with itself. */
function isInTarget(place: Sql, { storageId, path }: Target, folders: readonly SodaFolder[]): Sql {
  const onSameStorage = folders.filter((folder) => folder.storageId === storageId)
  return sql`(${areIn(onSameStorage)} AND startsWith(${place}, ${path.endsWith('/') ? path : `${path}/`}))`
}

function checkOutside(
  sources: readonly Source[],
  { storageId, path }: Target,
  folders: readonly SodaFolder[],
  { volumes }: Snapshot,
): void {
  const onSameStorage = new Map(folders.flatMap((one) => (one.storageId === storageId ? [[one.volumeId, one]] : [])))
  const roots = new Map(volumes.map(({ volumeId, root }) => [volumeId, root]))
  for (const source of sources) {
    const volumeId = Number(source.storageId)
    const [folder, root] = [onSameStorage.get(volumeId), roots.get(volumeId)]
    const within = root === undefined ? undefined : pathOfSource(root, source.path)
    if (!source.isDirectory || !folder || within === undefined) continue
    const place = placeOfFolder(folder, within)
    if (place === undefined || !isPrefix(place, path)) continue
    const message = `must not be inside ${source.path}, which is transferred`
    throw new Problem(400, `The target folder ${message}`, {
      code: 'target-in-source',
      subErrors: [{ field: 'target.path', message }],
    })
  }
}

/** Path in the transfer service of a folder, or of its mapped part. Undefined if no part of it is mapped. */
function placeOfFolder({ folder, sodaPath }: SodaFolder, path: string): string | undefined {
  const mapped = folder || '/'
  if (isPrefix(path || '/', mapped)) return sodaPath
  return mapPath([{ volumeId: 0, dataintellPath: mapped, externalPath: sodaPath }], path, 'fromDataIntell')
}
