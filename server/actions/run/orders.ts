import type { ActionOrder, StorageManagerOrder, SystemOrder } from '#events/actions/orders.ts'
import type { Job, Task } from '#events/jobs/events.ts'
import type { PayloadOf, TaskPayloadOf } from '#events/jobs/payloads.ts'
import type { ActionJobType, ComparisonJobType } from '#events/jobs/types.ts'
import { configuredNumber } from '#server/configurations/index.ts'
import type { Platform } from '#server/platform/platform.ts'
import { readProductId } from '#server/platform/postgres/product.ts'
import { Problem } from '#server/platform/problem.ts'
import { volumesShowingBlocks } from '../contents/planComparison.ts'
import { iconikConnection } from '../iconik/lists.ts'
import { readStorNextConfig } from '../stornext/configs.ts'
import { type StorNextFolder, storNextFolders, storNextPaths } from '../stornext/mappings.ts'
import { movesDeletedBy, sodaConnection } from '../transfers/lists.ts'
import { sodaFolders } from '../transfers/mappings.ts'
import { archiwareConnection, archiwareOrder } from '#server/sources/index.ts'

type Services = Pick<Platform, 'db' | 'config'>
type OrderOf<T extends ActionJobType> = (
  platform: Services,
  payload: PayloadOf<T>,
  task: TaskPayloadOf<'ACT_ON_FILES'>,
  jobId: number,
) => Promise<SystemOrder>

/** Builds the order of an action's system, with its secrets; throws a `Problem` if that is not set up any more. */
const orders: { [T in ActionJobType]: OrderOf<T> } = {
  ARCHIVE_ARCHIWARE_FILES: archiveOrder,
  ARCHIVE_ARCHIWARE_SEARCH_RESULT: archiveOrder,
  RESTORE_ARCHIWARE_FILES: restoreOrder,
  RESTORE_ARCHIWARE_SEARCH_RESULT: restoreOrder,
  ARCHIVE_STORAGE_MANAGER_FILES: storeOrder,
  ARCHIVE_STORAGE_MANAGER_SEARCH_RESULT: storeOrder,
  RESTORE_STORAGE_MANAGER_FILES: retrieveOrder,
  RESTORE_STORAGE_MANAGER_SEARCH_RESULT: retrieveOrder,
  SODA_TRANSFER: transferOrder,
  SODA_TRANSFER_SEARCH_RESULT: transferOrder,
  ICONIK_UPLOAD: uploadOrder,
  ICONIK_UPLOAD_SEARCH_RESULT: uploadOrder,
  COMPARE_FILES: comparisonOrder,
  COMPARE_SEARCH_RESULT: comparisonOrder,
}

async function archiveOrder(
  platform: Services,
  { planId, clientId, indexroot: indexRoot }: PayloadOf<'ARCHIVE_ARCHIWARE_FILES' | 'ARCHIVE_ARCHIWARE_SEARCH_RESULT'>,
  { system }: TaskPayloadOf<'ACT_ON_FILES'>,
): Promise<SystemOrder> {
  return { kind: 'archive', connection: await archiwareConnection(platform, system), planId, clientId, indexRoot }
}

async function restoreOrder(
  platform: Services,
  { clientId, relocate }: PayloadOf<'RESTORE_ARCHIWARE_FILES' | 'RESTORE_ARCHIWARE_SEARCH_RESULT'>,
  { system }: TaskPayloadOf<'ACT_ON_FILES'>,
): Promise<SystemOrder> {
  const { kind: _, index: indexName, path: __, ...connection } = await archiwareOrder(platform, system)
  // Jobs of earlier versions may have an empty text.
  return { kind: 'restore', connection, clientId, indexName, relocate: relocate || null }
}

function storeOrder(platform: Services, _: unknown, { system }: TaskPayloadOf<'ACT_ON_FILES'>): Promise<SystemOrder> {
  return storNextOrder(platform, system, { verb: 'store', relocate: null })
}

/** The folder to retrieve to is a path as the agent sees it; it is translated if a mapping of the storage applies. */
function retrieveOrder(
  platform: Services,
  { relocate }: PayloadOf<'RESTORE_STORAGE_MANAGER_FILES' | 'RESTORE_STORAGE_MANAGER_SEARCH_RESULT'>,
  { system }: TaskPayloadOf<'ACT_ON_FILES'>,
): Promise<SystemOrder> {
  return storNextOrder(platform, system, { verb: 'retrieve', relocate })
}

async function storNextOrder(
  platform: Services,
  volumeId: number,
  { verb, relocate }: Pick<StorageManagerOrder, 'verb' | 'relocate'>,
): Promise<SystemOrder> {
  const [mapping] = (await storNextFolders(platform.db)).filter((folder) => folder.volumeId === volumeId)
  if (!mapping) throw new Problem(409, 'The storage no longer has a Quantum StorNext path configuration')
  const connection = await readStorNextConfig(platform, mapping.configId)
  return {
    kind: 'storageManager',
    connection,
    verb,
    relocate: relocate ? await placeIn(platform, mapping, relocate) : null,
  }
}

/** A path as the agent sees it, as the same StorNext server has it; unchanged if no mapping applies. */
async function placeIn({ db }: Services, { configId }: StorNextFolder, path: string): Promise<string> {
  const pathOf = await storNextPaths(db)
  const folders = (await storNextFolders(db)).filter((folder) => folder.configId === configId)
  const places = folders.flatMap(({ volumeId }) => pathOf(volumeId, path)?.path ?? [])
  return places[0] ?? path
}

async function transferOrder(
  platform: Services,
  { name, transferType, conflictHandling, target }: PayloadOf<'SODA_TRANSFER' | 'SODA_TRANSFER_SEARCH_RESULT'>,
  { system }: TaskPayloadOf<'ACT_ON_FILES'>,
  jobId: number,
): Promise<SystemOrder> {
  const mapping = (await sodaFolders(platform.db)).find(({ volumeId }) => volumeId === system)
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
}

async function uploadOrder(
  platform: Services,
  { collectionId, storageId, storageType }: PayloadOf<'ICONIK_UPLOAD' | 'ICONIK_UPLOAD_SEARCH_RESULT'>,
): Promise<SystemOrder> {
  return { kind: 'upload', connection: await iconikConnection(platform), collectionId, storageId, storageType }
}

async function comparisonOrder(
  { db }: Services,
  { includesOffline = false }: PayloadOf<ComparisonJobType>,
  { system: volumeId }: TaskPayloadOf<'ACT_ON_FILES'>,
): Promise<SystemOrder> {
  const bytesPerSecond = await configuredNumber(db, 'comparisonBytesPerSecond')
  const onDiskOnly = !includesOffline && (await volumesShowingBlocks(db, [{ volumeId }])).length > 0
  return { kind: 'compare', bytesPerSecond, ...(onDiskOnly && { onDiskOnly }) }
}

/** The order of a task; `attempt` is its new attempt. Throws a `Problem` if its system is not set up any more. */
export async function orderOf(
  platform: Services,
  job: Pick<Job, 'id' | 'type' | 'payload'>,
  { payload }: Pick<Task, 'payload'>,
  attempt: number,
): Promise<ActionOrder> {
  const make = orders[job.type as ActionJobType] as OrderOf<ActionJobType>
  const system = await make(platform, job.payload as never, payload as TaskPayloadOf<'ACT_ON_FILES'>, job.id)
  return { attempt, jobId: job.id, product: await readProductId(platform.db), system }
}
