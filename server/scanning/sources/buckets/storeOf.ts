import type { BucketCredentialDraft, BucketType, ObjectStore, S3Store } from '#events/sources/buckets.ts'
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
    .select(['requestsPerSecond', 'countsVersions', 'inventory', 'prefix', 'requesterPays', 'teamSpace', 'queue'])
    .where('volumeId', '=', volumeId)
    .executeTakeFirstOrThrow()
  const { type, region, credentialId, name, path, requestsPerSecond, countsVersions, inventory } = found
  const { prefix, requesterPays, teamSpace, queue } = found
  return storeAt(platform, credentialId ?? 0, {
    ...splitName(type as BucketType, name),
    region,
    path,
    ...(requestsPerSecond !== null && { requestsPerSecond }),
    ...(countsVersions && { countsVersions }),
    ...(inventory !== '' && { inventory }),
    ...(prefix !== '' && { prefix }),
    ...(requesterPays && { requesterPays }),
    ...(teamSpace && { teamSpace }),
    ...(queue !== '' && { queue }),
  })
}

/** A store without its keys: `path` is Dropbox's; Azure only has a `bucket`. */
type Place = Omit<S3Store, 'type' | 'endpoint' | Keys> & { path: string; teamSpace?: boolean }
type Keys = 'accessKey' | 'secretKey' | 'sessionToken' | 'usesRole'

/**
 * A store with the keys of a credential, which go to an agent and nowhere else. Throws 404 without the credential, and
 * 409 if it was encrypted with a different server key.
 */
export const storeAt = async (platform: Stores, id: number, place: Place): Promise<ObjectStore> =>
  storeWith(platform.config, await openKeys(platform, id), place)

/** Sign-in at a provider with its secrets. */
type OpenKeys = Pick<BucketCredentialDraft, 'type' | 'signIn' | 'url'> &
  Record<'accessKey' | 'privateKey' | 'sessionToken', string>

/** The secrets of stored credentials. Throws as `storeAt` does. */
export async function openKeys({ db, config }: Stores, id: number): Promise<OpenKeys> {
  const row = await db.selectFrom('bucketCredentials').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) return notFound(bucketCredentials.one, id)
  const { name, type, signIn, url } = row
  const open = async (secret: 'accessKey' | 'privateKey' | 'sessionToken') =>
    row[secret] === '' ? '' : openCredential(config, bucketCredentials, { id, name, secret, sealed: row[secret] })
  const [accessKey, privateKey] = [await open('accessKey'), await open('privateKey')]
  return { type, signIn, url, accessKey, privateKey, sessionToken: await open('sessionToken') }
}

/** A store with keys that need not be saved. */
export function storeWith(
  config: Stores['config'],
  { type, signIn, url, accessKey: key, privateKey: secondKey, sessionToken }: OpenKeys,
  { path, teamSpace, ...place }: Place,
): ObjectStore {
  const { bucket, prefix, countsVersions } = place
  if (type === 'AZURE')
    return {
      type,
      container: bucket,
      connectionString: key,
      ...(prefix && { prefix }),
      ...(countsVersions && { countsVersions }),
    }
  if (type === 'DROPBOX') {
    const app = { url: config.dropboxApi, refreshToken: key, appKey: secondKey }
    return { type, ...app, path, ...(teamSpace && { teamSpace }) }
  }
  const keys = { accessKey: key, secretKey: secondKey, ...(sessionToken && { sessionToken }) }
  return { type, endpoint: url, ...keys, ...(signIn === 'role' && { usesRole: true }), ...place }
}
