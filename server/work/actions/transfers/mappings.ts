import { sql } from 'kysely'
import type { SodaMappingDraft } from '#events/actions/transfers.ts'
import type { PageQuery } from '#events/contract/page.ts'
import { streamNames } from '#events/streams.ts'
import { listPage, textOrder } from '#server/platform/crud/listPage.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { shareOfVolume } from '#server/content/snapshots/reading/shownVolume.ts'
import { mappedPaths, pathMappingTable } from '#server/scanning/sources/index.ts'
import { withFolders } from '../kit/mappedFolders.ts'

/** The functions behind the table of mappings, for `crudRoutes`. */
export const sodaMappingTable = (db: Db) => ({
  topics: ['sodaMappings'] as const,
  list: (query: PageQuery) => listPage(db, living(db), query, { sortable, sort: 'id', tie: 'sodaMappings.id' }),
  ...pathMappingTable<SodaMappingDraft>({
    table: 'sodaMappings',
    stream: streamNames.sodaMapping,
    one: 'SODA storage path configuration',
    label: 'Storage',
    groups: ['file', 'object'],
    columns: ['sodaStorageId', 'sodaPath'],
  }),
})

const sortable = {
  id: sql`soda_mappings.id`,
  volumeName: textOrder('volumes.name'),
  dataintellPath: textOrder('dataintellPath'),
  sodaStorageId: textOrder('sodaStorageId'),
  sodaPath: textOrder('sodaPath'),
}

const living = (db: Db) =>
  db
    .selectFrom('sodaMappings')
    .innerJoin('volumes', 'volumes.id', 'sodaMappings.volumeId')
    .where('volumes.deletedAt', 'is', null)
    .select([
      'sodaMappings.id',
      'volumeId',
      'dataintellPath',
      'sodaStorageId',
      'sodaPath',
      'volumes.name as volumeName',
    ])

/** The mapped folder of a storage, as `withFolders` has it: its storage of the transfer service, and its path there. */
export type SodaFolder = { volumeId: number; folder: string; storageId: string; sodaPath: string }

/** Mapped folders of all storages, for queries of many entries. */
export async function sodaFolders(db: Db): Promise<SodaFolder[]> {
  const rows = await living(db).select(['volumes.path', shareOfVolume]).execute()
  return withFolders(rows).map(({ volumeId, folder, sodaStorageId: storageId, sodaPath }) => ({
    volumeId,
    folder,
    storageId,
    sodaPath,
  }))
}

/** A mapped folder, with the agent and the type of its storage, which begins at `root`. */
export type CopyFolder = SodaFolder & {
  agentId: number
  root: string
  crossesFileSystems: boolean
  type: string
  name: string
}

/** Mapped folders of all storages, to read copies there. */
export async function copyFolders(db: Db): Promise<CopyFolder[]> {
  const rows = await living(db)
    .select(['volumes.path', 'volumes.agentId', 'volumes.type', 'volumes.crossFileSystems', shareOfVolume])
    .execute()
  return withFolders(rows).map(
    ({ sodaStorageId: storageId, path: root, volumeName: name, crossFileSystems: crossesFileSystems, ...row }) => {
      const { volumeId, folder, sodaPath, agentId, type } = row
      return { volumeId, folder, storageId, sodaPath, agentId, root, crossesFileSystems, type, name }
    },
  )
}

/** The storage of the transfer service and the path there of a file or folder. Undefined if no mapping applies. */
export type SodaPaths = (volumeId: number, fullPath: string) => { storageId: string; path: string } | undefined

/** The mappings of all storages, read once. */
export async function sodaPaths(db: Db): Promise<SodaPaths> {
  const pathOf = mappedPaths(await living(db).execute(), ({ sodaPath }) => sodaPath)
  return (volumeId, fullPath) => {
    const mapped = pathOf(volumeId, fullPath)
    return mapped && { storageId: mapped.row.sodaStorageId, path: mapped.path }
  }
}
