import { fileStorageTypes } from '#events/sources/fileStorages.ts'
import { type SourceKind, sources } from '#events/sources/kinds.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import { type DetailsTable, tablesOfSources } from '#server/platform/postgres/sourceTables.ts'

/** A source by the id that its calls use, and its volume. */
export type SourceVolume = { id: number; volumeId: number }
type Ids = readonly number[] | 'all'

/**
 * The volumes of sources of a kind, or of `any` kind by the ids of the volumes. Leaves out those that are not set up;
 * does not check ids of volumes.
 */
export function sourceVolumes(trx: Trx, kind: SourceKind | 'any', ids: Ids): Promise<SourceVolume[]> {
  if (kind === 'any') return byVolume(trx, ids)
  const table = tablesOfSources[kind]?.details
  if (table === undefined || sources[kind].scanCall === 'volumes') return byVolume(trx, ids, fileStorageTypes)
  return byTable(trx, table, ids)
}

async function byVolume(trx: Trx, ids: Ids, types?: readonly string[]): Promise<SourceVolume[]> {
  if (ids !== 'all') return ids.map((id) => ({ id, volumeId: id }))
  const volumes = await trx
    .selectFrom('volumes')
    .select('id')
    .where('deletedAt', 'is', null)
    .$if(types !== undefined, (all) => all.where('type', 'in', [...(types ?? [])]))
    .execute()
  return volumes.map(({ id }) => ({ id, volumeId: id }))
}

/** Sources that have a table of their own. */
function byTable(trx: Trx, table: DetailsTable, ids: Ids): Promise<SourceVolume[]> {
  const details = `${table} as source` as 'buckets as source'
  return trx
    .selectFrom(details)
    .innerJoin('volumes', 'volumes.id', 'source.volumeId')
    .select(['source.id', 'source.volumeId'])
    .where('volumes.deletedAt', 'is', null)
    .$if(ids !== 'all', (all) => all.where('source.id', 'in', [0, ...(ids === 'all' ? [] : ids)]))
    .orderBy('source.id')
    .execute()
}
