import { sql } from 'kysely'
import type { PageQuery } from '#events/contract/page.ts'
import type { ArchiwareMapping, ArchiwareMappingDraft } from '#events/sources/archiwareMappings.ts'
import { globalMapping, mapPath, type PathMapping } from '#events/sources/pathMapping.ts'
import { streamNames } from '#events/streams.ts'
import { listPage, textOrder } from '#server/platform/crud/listPage.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { pathMappingTable } from '../pathMappings.ts'

/** The functions behind the table of mappings, for `crudRoutes`. */
export const archiwareMappingTable = (db: Db) => ({
  topics: ['archiwareMappings'] as const,
  list: (query: PageQuery) => listMappings(db, query),
  ...pathMappingTable<ArchiwareMappingDraft>({
    table: 'archiwareMappings',
    stream: streamNames.archiwareMapping,
    one: 'File Storage path configuration',
    label: 'File Storage',
    groups: ['file'],
    columns: ['archiwarePath'],
  }),
})

const sortable = {
  id: sql`archiware_mappings.id`,
  volumeName: textOrder('volumes.name'),
  dataintellPath: textOrder('dataintellPath'),
  archiwarePath: textOrder('archiwarePath'),
}

const living = (db: Db | Trx) =>
  db
    .selectFrom('archiwareMappings')
    .leftJoin('volumes', 'volumes.id', 'archiwareMappings.volumeId')
    .where('volumes.deletedAt', 'is', null)
    .select(['archiwareMappings.id', 'archiwareMappings.volumeId', 'dataintellPath', 'archiwarePath'])
    .select('volumes.name as volumeName')

const listMappings = (db: Db, query: PageQuery) =>
  listPage(db, living(db).where('archiwareMappings.volumeId', '!=', globalMapping), query, {
    sortable,
    sort: 'id',
    tie: 'archiwareMappings.id',
  })

/** The mapping of a storage, or with -1 the global one; null if not set. */
export const mappingOf = async (db: Db, volumeId: number): Promise<ArchiwareMapping | null> =>
  (await living(db).where('archiwareMappings.volumeId', '=', volumeId).executeTakeFirst()) ?? null

/** Translates between full paths of storages and paths of P5 clients. */
export type ArchiwarePaths = {
  /** Returns a path without a mapping unchanged. */
  toArchiware(volumeId: number, fullPath: string): string
  toDataIntell(archiwarePath: string): string
}

/** The mappings of all storages, read once. */
export async function archiwarePaths(db: Db): Promise<ArchiwarePaths> {
  const rows = await living(db).execute()
  const mappings: PathMapping[] = rows.map(({ archiwarePath, ...row }) => ({ ...row, externalPath: archiwarePath }))
  return {
    toArchiware(volumeId, fullPath) {
      const own = mappings.filter((mapping) => [volumeId, globalMapping].includes(mapping.volumeId))
      return mapPath(own, fullPath, 'fromDataIntell') ?? fullPath
    },
    toDataIntell: (archiwarePath) => mapPath(mappings, archiwarePath, 'toDataIntell') ?? archiwarePath,
  }
}
