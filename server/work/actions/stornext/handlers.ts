import type { StorageManagerOrder } from '#events/actions/orders.ts'
import { isPrefix } from '#events/sources/pathMapping.ts'
import type { Platform } from '#server/platform/platform.ts'
import { invalid, Problem } from '#server/platform/problem.ts'
import type { Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import type { ActionHandler } from '../kit/handler.ts'
import { checkTarget, planPerVolume, unmapped, unsendable, volumesWith } from '../kit/parts.ts'
import { placeOf } from '../kit/places.ts'
import { readStorNextConfig } from './configs.ts'
import { type StorNextFolder, storNextFolders, storNextPaths } from './mappings.ts'

type Services = Pick<Platform, 'db' | 'config'>

/** Stores files on tape: one part for each mapped storage. Places are paths as StorNext has them. */
export const store: ActionHandler<'store'> = {
  plan: async ({ db }, _, snapshot) => planMapped(db, await storNextFolders(db), snapshot),
  order: (platform, _, volumeId) => orderOf(platform, volumeId, { verb: 'store', relocate: null }),
}

/** Retrieves files. The folder to retrieve to must be in a mapped folder, as the agent or as StorNext has it. */
export const retrieve: ActionHandler<'retrieve'> = {
  async plan({ db }, { relocate }, snapshot) {
    const mapped = await storNextFolders(db)
    checkRelocation(relocate, mapped)
    return planMapped(db, mapped, snapshot)
  },
  order: (platform, { relocate }, volumeId) => orderOf(platform, volumeId, { verb: 'retrieve', relocate }),
}

function planMapped(db: Services['db'], mapped: readonly StorNextFolder[], snapshot: Snapshot) {
  const volumes = volumesWith(snapshot, mapped)
  const place = placeOf(
    mapped.map(({ volumeId, folder, storageManagerPath: target }) => ({ volumeId, folder: `${folder}/`, target })),
  )
  return planPerVolume(db, volumes, place, [unmapped(volumes, place), 'No Quantum StorNext path'], ...unsendable)
}

function checkRelocation(relocate: string | null, mapped: readonly StorNextFolder[]): void {
  if (relocate === null) return
  checkTarget('relocate', relocate, { isAnySystem: true })
  const folders = mapped.flatMap(({ dataintellPath, storageManagerPath }) => [
    dataintellPath,
    storageManagerPath || '/',
  ])
  if (!folders.some((folder) => isPrefix(folder, relocate)))
    invalid('relocate', 'must be in a folder that has a Quantum StorNext path')
}

async function orderOf(
  platform: Services,
  volumeId: number,
  { verb, relocate }: Pick<StorageManagerOrder, 'verb' | 'relocate'>,
): Promise<StorageManagerOrder> {
  const folders = await storNextFolders(platform.db)
  const mapping = folders.find((folder) => folder.volumeId === volumeId)
  if (!mapping) throw new Problem(409, 'The storage no longer has a Quantum StorNext path configuration')
  const { configId } = mapping
  const connection = await readStorNextConfig(platform, configId)
  if (!relocate) return { kind: 'storageManager', connection, verb, relocate: null }
  // A path as the agent sees it, as the same StorNext server has it; unchanged if no mapping applies.
  const pathOf = await storNextPaths(platform.db)
  const places = folders
    .filter((folder) => folder.configId === configId)
    .flatMap((folder) => pathOf(folder.volumeId, relocate)?.path ?? [])
  return { kind: 'storageManager', connection, verb, relocate: places[0] ?? relocate }
}
