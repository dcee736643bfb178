import { sql } from 'kysely'
import type { PageQuery } from '#events/contract/page.ts'
import { listPage, textOrder } from '#server/platform/crud/listPage.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { draftOf } from './bucket.ts'

const sortable = {
  id: sql`buckets.id`,
  name: sql`lower(coalesce(nullif(buckets.name, ''), buckets.path))`,
  description: textOrder('volumes.name'),
  region: sql`buckets.region`,
  type: sql`volumes.type`,
  'storagePrice.description': textOrder('storagePrices.description'),
}

/** A page of the buckets that are set up, by their display name by default. */
export const listBuckets = (db: Db, query: PageQuery) =>
  listPage(
    db,
    db
      .selectFrom('volumes')
      .innerJoin('buckets', 'buckets.volumeId', 'volumes.id')
      .leftJoin('storagePrices', 'storagePrices.id', 'volumes.storagePriceId')
      .where('volumes.deletedAt', 'is', null)
      .selectAll('volumes')
      .select(['buckets.id as bucketId', 'buckets.name as bucketName', 'buckets.path as bucketPath'])
      .select(['region', 'credentialId', 'requestsPerSecond', 'countsVersions', 'inventory'])
      .select(['prefix', 'requesterPays', 'teamSpace', 'queue'])
      .select('storagePrices.description as priceBook'),
    query,
    { sortable, sort: 'description', tie: 'buckets.id', nulls: 'smallest' },
    ({ bucketId: id, bucketName: name, bucketPath: path, priceBook, ...row }) => ({
      ...draftOf(row, { ...row, name, path }),
      id,
      volumeSettingId: row.id,
      storagePrice: row.storagePriceId === null ? null : { id: row.storagePriceId, description: priceBook ?? '' },
    }),
  )

/** The volume of a bucket that is or was set up. */
export async function volumeOf(db: Db, id: number): Promise<number> {
  const { volumeId } = await db.selectFrom('buckets').select('volumeId').where('id', '=', id).executeTakeFirstOrThrow()
  return volumeId
}
