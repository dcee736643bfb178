import type { PayloadOf } from '#events/jobs/payloads.ts'
import { isPrefix, mapPath } from '#events/sources/pathMapping.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import type { Platform } from '#server/platform/platform.ts'
import { invalid, Problem } from '#server/platform/problem.ts'
import type { Snapshot } from '#server/snapshots/reading/snapshotAt.ts'
import { type ActionPlanning, areIn, checkTarget, leftOutBy, partPerVolume, unsendable } from '../plans/parts.ts'
import { placeOf } from '../plans/places.ts'
import { pathOfSource } from '../plans/selectionOf.ts'
import { movesDeletedBy } from './lists.ts'
import { type SodaFolder, sodaFolders } from './mappings.ts'

type Payload = PayloadOf<'SODA_TRANSFER' | 'SODA_TRANSFER_SEARCH_RESULT'>
type Target = Payload['target']

/**
 * Transfers files of storages that the transfer service knows: one part for each storage. Places are paths there. Files that are below the target
 * already are left out. Throws 400 for an invalid target, and for one inside a folder that is transferred.
 */
export async function planTransfer(
  { db }: Pick<Platform, 'db'>,
  payload: Payload,
  snapshot: Snapshot,
): Promise<ActionPlanning> {
  const { target } = payload
  if (target.storageId === '') invalid('target.storageId', 'must not be empty')
  checkTarget('target.path', target.path)
  const folders = await sodaFolders(db)
  if ('sources' in payload) checkOutside(payload.sources, target, folders, snapshot)
  const volumes = snapshot.volumes.filter(({ volumeId }) => folders.some((folder) => folder.volumeId === volumeId))
  const { part, parts } = await partPerVolume(db, volumes)
  const place = placeOf(
    folders.map(({ volumeId, folder, sodaPath }) => ({ volumeId, folder: `${folder}/`, target: sodaPath })),
  )
  return {
    plan: {
      place,
      part,
      leftOut: leftOutBy(
        [sql`NOT ${areIn(volumes)} OR ${place} = ''`, 'No SODA storage path'],
        [isInTarget(place, target, folders), 'Already in the target folder'],
        [await mayStay(db, payload, volumes), 'Not on a local file storage, where an agent can delete it'],
        ...unsendable,
      ),
    },
    parts,
  }
}

/** Condition: an agent would have to delete a moved file, and can't reach it. Agents mount network shares for scans only. */
async function mayStay(db: Platform['db'], { transferType }: Payload, volumes: Snapshot['volumes']): Promise<Sql> {
  const isByAgent = transferType === 'MOVE' && (await movesDeletedBy({ db })) === 'agent'
  return isByAgent ? areIn(volumes.filter(({ type }) => type !== 'crawl.files')) : sql`0`
}

/** Condition: a file is below the target, where a transfer could overwrite it with itself. */
function isInTarget(place: Sql, { storageId, path }: Target, folders: readonly SodaFolder[]): Sql {
  const onSameStorage = folders.filter((folder) => folder.storageId === storageId)
  return sql`(${areIn(onSameStorage)} AND startsWith(${place}, ${path.endsWith('/') ? path : `${path}/`}))`
}

type Source = Extract<Payload, { sources: unknown }>['sources'][number]

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
