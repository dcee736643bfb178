import { sql } from 'kysely'
import type { PageQuery } from '#events/contract/page.ts'
import type { ArchiwareMapping, ArchiwareMappingDraft } from '#events/sources/archiwareMappings.ts'
import { rootPath } from '#events/sources/fullPath.ts'
import { typesOf } from '#events/sources/kinds.ts'
import { globalMapping, isPrefix, mapPath, type PathMapping } from '#events/sources/pathMapping.ts'
import { streamNames } from '#events/streams.ts'
import { listPage } from '#server/platform/crud/listPage.ts'
import type { Change } from '#server/platform/log/change.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { invalid, notFound } from '#server/platform/problem.ts'
import { shareOfVolume } from '#server/snapshots/reading/shownVolume.ts'

/** The functions behind the table of mappings, for `crudRoutes`. */
export const archiwareMappingTable = (db: Db) => ({
  topics: ['archiwareMappings'] as const,
  list: (query: PageQuery) => listMappings(db, query),
  create: createMapping,
  update: updateMapping,
  remove: removeMapping,
})

const sortable = {
  id: sql`archiware_mappings.id`,
  volumeName: sql`lower(volumes.name)`,
  dataintellPath: sql`lower(dataintell_path)`,
  archiwarePath: sql`lower(archiware_path)`,
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
  const mappings: PathMapping[] = await living(db).execute()
  return {
    toArchiware(volumeId, fullPath) {
      const own = mappings.filter((mapping) => [volumeId, globalMapping].includes(mapping.volumeId))
      return mapPath(own, fullPath, 'fromDataIntell') ?? fullPath
    },
    toDataIntell: (archiwarePath) => mapPath(mappings, archiwarePath, 'toDataIntell') ?? archiwarePath,
  }
}

async function createMapping({ trx, record }: Change, draft: ArchiwareMappingDraft): Promise<number> {
  await checkMapping(trx, draft)
  const others = trx.selectFrom('archiwareMappings').select('id').where('volumeId', '=', draft.volumeId)
  if (await others.executeTakeFirst()) invalid('volumeId', 'File Storage already has a path configuration')
  const { id } = await trx.insertInto('archiwareMappings').values(draft).returning('id').executeTakeFirstOrThrow()
  await record(streamNames.archiwareMapping(id), { after: draft })
  return id
}

async function updateMapping({ trx, record }: Change, id: number, draft: ArchiwareMappingDraft): Promise<void> {
  const before = await lockMapping(trx, id)
  if (draft.volumeId !== before.volumeId) invalid('volumeId', 'File Storage cannot be changed')
  await checkMapping(trx, draft)
  await trx.updateTable('archiwareMappings').set(draft).where('id', '=', id).execute()
  await record(streamNames.archiwareMapping(id), { before, after: draft })
}

async function removeMapping({ trx, record }: Change, id: number): Promise<void> {
  const before = await lockMapping(trx, id)
  await trx.deleteFrom('archiwareMappings').where('id', '=', id).execute()
  await record(streamNames.archiwareMapping(id), { before })
}

async function lockMapping(trx: Trx, id: number): Promise<ArchiwareMappingDraft> {
  const mapping = await trx
    .selectFrom('archiwareMappings')
    .select(['volumeId', 'dataintellPath', 'archiwarePath'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return mapping ?? notFound('File Storage path configuration', id)
}

/** Throws 400 for a storage that isn't a file storage, and for a path that isn't in it. */
async function checkMapping(trx: Trx, { volumeId, dataintellPath }: ArchiwareMappingDraft): Promise<void> {
  if (volumeId === globalMapping) return
  const volume = await trx
    .selectFrom('volumes')
    .select(['path', shareOfVolume])
    .where('id', '=', volumeId)
    .where('deletedAt', 'is', null)
    .where(
      'type',
      'in',
      typesOf(({ group }) => group === 'file'),
    )
    .executeTakeFirst()
  if (!volume) return invalid('volumeId', 'File Storage must be one that exists')
  const root = rootPath(volume.path, volume.share)
  if (!isPrefix(root, dataintellPath)) invalid('dataintellPath', `DataIntell Path must be ${root} or below it`)
}
