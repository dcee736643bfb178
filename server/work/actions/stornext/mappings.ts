import { sql } from 'kysely'
import type { StorNextMappingDraft } from '#events/actions/storNext.ts'
import type { PageQuery } from '#events/contract/page.ts'
import { streamNames } from '#events/streams.ts'
import { checkExists } from '#server/platform/crud/checkExists.ts'
import { listPage, textOrder } from '#server/platform/crud/listPage.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { shareOfVolume } from '#server/content/snapshots/reading/shownVolume.ts'
import { mappedPaths, pathMappingTable } from '#server/scanning/sources/index.ts'
import { withFolders } from '../kit/mappedFolders.ts'

/** The functions behind the table of mappings, for `crudRoutes`. */
export const storNextMappingTable = (db: Db) => ({
  topics: ['storNextMappings'] as const,
  list: (query: PageQuery) =>
    listPage(db, living(db), query, { sortable, sort: 'id', tie: 'storageManagerMappings.id' }),
  ...pathMappingTable<StorNextMappingDraft>({
    table: 'storageManagerMappings',
    stream: streamNames.storNextMapping,
    one: 'Quantum StorNext storage path configuration',
    label: 'File Storage',
    groups: ['file'],
    columns: ['storageManagerConfigId', 'storageManagerPath'],
    check: (trx, { storageManagerConfigId: id }) =>
      checkExists(trx.selectFrom('storageManagerConfigs'), {
        id,
        field: 'storageManagerConfigId',
        what: 'credentials that exist',
      }),
  }),
})

const sortable = {
  id: sql`storage_manager_mappings.id`,
  volumeName: textOrder('volumes.name'),
  storageManagerConfigName: textOrder('storageManagerConfigs.name'),
  dataintellPath: textOrder('dataintellPath'),
  storageManagerPath: textOrder('storageManagerPath'),
}

const living = (db: Db | Trx) =>
  db
    .selectFrom('storageManagerMappings')
    .innerJoin('volumes', 'volumes.id', 'storageManagerMappings.volumeId')
    .innerJoin('storageManagerConfigs', 'storageManagerConfigs.id', 'storageManagerConfigId')
    .where('volumes.deletedAt', 'is', null)
    .select(['storageManagerMappings.id', 'volumeId', 'storageManagerConfigId', 'dataintellPath', 'storageManagerPath'])
    .select(['volumes.name as volumeName', 'storageManagerConfigs.name as storageManagerConfigName'])

/**
 * The mapped folder of a storage. `folder` is its path within the storage, as entries have it: `''` for all of it, otherwise
 * `/a/b`, and `dataintellPath` its full path. The path of an entry in or below it is `storageManagerPath`, without a slash at its end, followed by the rest of the
 * entry's path.
 */
export type StorNextFolder = {
  volumeId: number
  configId: number
  folder: string
  dataintellPath: string
  storageManagerPath: string
}

/** Mapped folders of all storages, for queries of many entries. A storage without one isn't known to StorNext. */
export async function storNextFolders(db: Db): Promise<StorNextFolder[]> {
  const rows = await living(db).select(['volumes.path', shareOfVolume]).execute()
  return withFolders(rows).map(({ volumeId, storageManagerConfigId: configId, storageManagerPath, ...row }) => ({
    volumeId,
    configId,
    folder: row.folder,
    dataintellPath: row.dataintellPath,
    storageManagerPath: storageManagerPath.replace(/\/+$/, ''),
  }))
}

/** Path of a file or folder in StorNext, and the credentials to use there. Undefined if no mapping applies. */
export type StorNextPaths = (volumeId: number, fullPath: string) => { configId: number; path: string } | undefined

/** The mappings of all storages, read once. */
export async function storNextPaths(db: Db): Promise<StorNextPaths> {
  const pathOf = mappedPaths(await living(db).execute(), ({ storageManagerPath }) => storageManagerPath)
  return (volumeId, fullPath) => {
    const mapped = pathOf(volumeId, fullPath)
    return mapped && { configId: mapped.row.storageManagerConfigId, path: mapped.path }
  }
}
