import { fileStorageTypes } from '#events/sources/fileStorages.ts'
import type { SourceKind } from '#events/sources/kinds.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'

/** A source by the id that its calls use, and its volume. */
export type SourceVolume = { id: number; volumeId: number }
type Ids = readonly number[] | 'all'

/**
 * The volumes of sources of a kind, or of `any` kind by the ids of the volumes. Leaves out those that are not set up;
 * does not check ids of volumes.
 */
export const sourceVolumes = (trx: Trx, kind: SourceKind | 'any', ids: Ids): Promise<SourceVolume[]> =>
  finders[kind](trx, ids)

const finders: Record<SourceKind | 'any', (trx: Trx, ids: Ids) => Promise<SourceVolume[]>> = {
  any: (trx, ids) => byVolume(trx, ids),
  fileStorage: (trx, ids) => byVolume(trx, ids, fileStorageTypes),
  networkShare: (trx, ids) => byVolume(trx, ids, fileStorageTypes),
  bucket: (trx, ids) => byTable(trx, 'buckets', ids),
  powerScale: (trx, ids) => byTable(trx, 'powerScales', ids),
  archiware: (trx, ids) => byTable(trx, 'archiwares', ids),
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
function byTable(trx: Trx, table: 'buckets' | 'powerScales' | 'archiwares', ids: Ids): Promise<SourceVolume[]> {
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
