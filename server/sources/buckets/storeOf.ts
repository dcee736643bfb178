import type { BucketType, ObjectStore, S3Store } from '#events/sources/buckets.ts'
import { openCredential } from '#server/platform/crud/credentials.ts'
import type { Platform } from '#server/platform/platform.ts'
import { notFound } from '#server/platform/problem.ts'
import { splitName } from './bucket.ts'
import { bucketCredentials } from './credentials.ts'

type Stores = Pick<Platform, 'db' | 'config'>

/** The store of a bucket's volume, as an agent lists it. Throws as `storeAt` does. */
export async function storeOf(platform: Stores, volumeId: number): Promise<ObjectStore> {
  const found = await platform.db
    .selectFrom('buckets')
    .innerJoin('volumes', 'volumes.id', 'buckets.volumeId')
    .select(['volumes.type', 'buckets.name', 'buckets.path', 'region', 'credentialId'])
    .select(['requestsPerSecond', 'countsVersions', 'inventory'])
    .where('volumeId', '=', volumeId)
    .executeTakeFirstOrThrow()
  const { type, region, credentialId, name, path, requestsPerSecond, countsVersions, inventory } = found
  return storeAt(platform, credentialId ?? 0, {
    ...splitName(type as BucketType, name),
    region,
    path,
    ...(requestsPerSecond !== null && { requestsPerSecond }),
    ...(countsVersions && { countsVersions }),
    ...(inventory !== '' && { inventory }),
  })
}

/** A store without its keys: `path` is Dropbox's; Azure only has a `bucket`. */
type Place = Omit<S3Store, 'type' | 'endpoint' | 'accessKey' | 'secretKey'> & { path: string }

/**
 * A store with the keys of a credential, which go to an agent and nowhere else. Throws 404 without the credential, and
 * 409 if it was encrypted with a different server key.
 */
export async function storeAt({ db, config }: Stores, id: number, { path, ...place }: Place): Promise<ObjectStore> {
  const row = await db.selectFrom('bucketCredentials').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) return notFound(bucketCredentials.one, id)
  const { name, type, url } = row
  const open = (secret: 'accessKey' | 'privateKey') =>
    openCredential(config, bucketCredentials, { id, name, secret, sealed: row[secret] })
  const key = await open('accessKey')
  const secondKey = row.privateKey === '' ? '' : await open('privateKey')
  if (type === 'AZURE') return { type, container: place.bucket, connectionString: key }
  if (type === 'DROPBOX') return { type, url: config.dropboxApi, path, refreshToken: key, appKey: secondKey }
  return { type, endpoint: url, accessKey: key, secretKey: secondKey, ...place }
}
