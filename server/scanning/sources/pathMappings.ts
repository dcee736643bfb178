import { rootPath } from '#events/sources/fullPath.ts'
import { type StorageGroup, typesOf } from '#events/sources/kinds.ts'
import { globalMapping, isPrefix, mapPath } from '#events/sources/pathMapping.ts'
import type { StreamName } from '#events/streams.ts'
import type { Change } from '#server/platform/log/change.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import { anyTable } from '#server/platform/postgres/postgres.ts'
import type { Tables } from '#server/platform/postgres/tables.ts'
import { invalid, notFound } from '#server/platform/problem.ts'
import { shareOfVolume } from '#server/content/snapshots/reading/shownVolume.ts'

type Draft = { volumeId: number; dataintellPath: string }

/** A table that maps folders of storages to paths of another system. Each storage has at most one row. */
export type PathMappings<D extends Draft> = {
  table: keyof Tables
  stream: (id: number) => StreamName
  /** Noun in the 404 error of a missing row. */
  one: string
  /** Name of the storage in error messages. */
  label: 'File Storage' | 'Storage'
  /** Groups of storages that can be mapped. */
  groups: readonly StorageGroup[]
  /** Columns of the other system, which are fields of the draft. */
  columns: readonly Exclude<keyof D & string, keyof Draft>[]
  /** Throws 400 for references to missing rows. */
  check?: (trx: Trx, draft: D) => Promise<void>
}

/**
 * The functions that add, change and delete mappings, for `crudRoutes`. They throw 400 for a storage that has a mapping,
 * for a storage of another group, and for a path outside the storage.
 */
export const pathMappingTable = <D extends Draft>(mappings: PathMappings<D>) => ({
  create: async ({ trx, record }: Change, draft: D): Promise<number> => {
    const { table, label, stream } = mappings
    await checkMapping(trx, mappings, draft)
    const others = anyTable(trx).selectFrom(table).select('id').where('volumeId', '=', draft.volumeId)
    if (await others.executeTakeFirst()) invalid('volumeId', `${label} already has a path configuration`)
    const row = anyTable(trx)
      .insertInto(table)
      .values({ ...draft })
      .returning('id')
    const id = Number((await row.executeTakeFirstOrThrow())['id'])
    await record(stream(id), { after: draft })
    return id
  },
  update: async ({ trx, record }: Change, id: number, draft: D): Promise<void> => {
    const { table, label, stream } = mappings
    const before = await lockMapping(trx, mappings, id)
    if (draft.volumeId !== before.volumeId) invalid('volumeId', `${label} cannot be changed`)
    await checkMapping(trx, mappings, draft)
    await anyTable(trx)
      .updateTable(table)
      .set({ ...draft })
      .where('id', '=', id)
      .execute()
    await record(stream(id), { before, after: draft })
  },
  remove: async ({ trx, record }: Change, id: number): Promise<void> => {
    const before = await lockMapping(trx, mappings, id)
    await anyTable(trx).deleteFrom(mappings.table).where('id', '=', id).execute()
    await record(mappings.stream(id), { before })
  },
})

/** Row of the mapping that applies to a path, and the path on the other system. Undefined if no mapping applies. */
export type MappedPaths<Row> = (volumeId: number, fullPath: string) => { row: Row; path: string } | undefined

/** Maps full paths by the rows of a table. */
export function mappedPaths<Row extends Draft>(
  rows: readonly Row[],
  externalPathOf: (row: Row) => string,
): MappedPaths<Row> {
  const byVolume = new Map(rows.map((row) => [row.volumeId, row]))
  return (volumeId, fullPath) => {
    const row = byVolume.get(volumeId)
    if (!row) return undefined
    const path = mapPath([{ ...row, externalPath: externalPathOf(row) }], fullPath, 'fromDataIntell')
    return path === undefined ? undefined : { row, path }
  }
}

async function lockMapping<D extends Draft>(trx: Trx, { table, columns, one }: PathMappings<D>, id: number) {
  const row = anyTable(trx)
    .selectFrom(table)
    .select(['volumeId', 'dataintellPath', ...columns])
    .where('id', '=', id)
    .forUpdate()
  return ((await row.executeTakeFirst()) as D | undefined) ?? notFound(one, id)
}

/** Locks the storage, so that concurrent changes of its mapping run one after another. */
async function checkMapping<D extends Draft>(trx: Trx, mappings: PathMappings<D>, draft: D): Promise<void> {
  const { label, groups, check } = mappings
  await check?.(trx, draft)
  if (draft.volumeId === globalMapping) return
  const volume = await trx
    .selectFrom('volumes')
    .select(['path', shareOfVolume])
    .where('id', '=', draft.volumeId)
    .where('deletedAt', 'is', null)
    .where(
      'type',
      'in',
      typesOf(({ group }) => groups.includes(group)),
    )
    .forUpdate()
    .executeTakeFirst()
  if (!volume) return invalid('volumeId', `${label} must be one that exists`)
  const root = rootPath(volume.path, volume.share)
  if (!isPrefix(root, draft.dataintellPath)) invalid('dataintellPath', `DataIntell Path must be ${root} or below it`)
}
