import type { ObjectStore } from '#events/scans/order.ts'
import { type BucketType, factsOf } from '#events/sources/buckets.ts'
import { openCredential } from '#server/platform/crud/credentials.ts'
import type { Platform } from '#server/platform/platform.ts'
import { notFound } from '#server/platform/problem.ts'
import { splitName } from './bucket.ts'
import { bucketCredentials } from './credentials.ts'

type Words = Pick<Platform, 'db' | 'config'>

/**
 * What an agent lists to scan a volume; undefined where that is no bucket. The keys in it go to that agent and nowhere else.
 * Throws 409 when the key of this server does not open them.
 */
export async function storeOf(platform: Words, volumeId: number): Promise<ObjectStore | undefined> {
  const found = await platform.db
    .selectFrom('buckets')
    .innerJoin('volumes', 'volumes.id', 'buckets.volumeId')
    .select(['volumes.type', 'buckets.name', 'buckets.path', 'region', 'credentialId'])
    .select(['requestsPerSecond', 'countsVersions', 'inventory'])
    .where('volumeId', '=', volumeId)
    .executeTakeFirst()
  if (!found) return undefined
  const { region, credentialId, name, path, requestsPerSecond, countsVersions, inventory } = found
  const type = found.type as BucketType
  const { namespace, bucket } = factsOf(type).hasPath ? { namespace: '', bucket: '' } : splitName(type, name)
  const options = {
    ...(requestsPerSecond !== null && { requestsPerSecond }),
    ...(countsVersions && { countsVersions }),
    ...(inventory !== '' && { inventory }),
  }
  return { ...(await signInOf(platform, credentialId)), region, namespace, bucket, path, ...options }
}

/** Who signs in, and where a custom S3 is, or Dropbox. Throws 404, and 409 when the key of this server does not open it. */
export async function signInOf(
  { db, config }: Words,
  id: number,
): Promise<Pick<ObjectStore, 'type' | 'url' | 'accessKey' | 'privateKey'>> {
  const row = await db.selectFrom('bucketCredentials').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) return notFound(bucketCredentials.one, id)
  const { name, type } = row
  const url = type === 'DROPBOX' ? config.dropboxApi : row.url
  const open = (secret: 'accessKey' | 'privateKey') =>
    openCredential(config, bucketCredentials, { id, name, secret, sealed: row[secret] })
  const privateKey = row.privateKey === '' ? '' : await open('privateKey')
  return { type, url, accessKey: await open('accessKey'), privateKey }
}
