import { inTransaction } from '#server/platform/postgres/inTransaction.ts'
import type { NetworkShareDraft, ShareMount } from '#events/sources/networkShares.ts'
import type { Platform } from '#server/platform/platform.ts'
import { takeHost } from '#server/platform/crud/boundSecrets.ts'
import { openCredential } from '#server/platform/crud/credentials.ts'
import { shareCredentials } from './credentials.ts'
import { hostOf, joinedOptions } from './hostOf.ts'

/**
 * The share that an agent mounts to scan a storage. Its password is sent to that agent only. Throws 409 if it was
 * encrypted with a different server key.
 */
export async function mountOf({ db, config }: Pick<Platform, 'db' | 'config'>, volumeId: number): Promise<ShareMount> {
  const share = await db
    .selectFrom('networkVolumes')
    .leftJoin('networkCredentials', 'networkCredentials.id', 'credentialId')
    .select(['type', 'host', 'shareName', 'networkVolumes.options', 'credentialId'])
    .select(['networkCredentials.name', 'username', 'password', 'domain'])
    .select('networkCredentials.options as credentialOptions')
    .where('volumeId', '=', volumeId)
    .executeTakeFirstOrThrow()
  const { type, host, shareName } = share
  const options = joinedOptions(share.credentialOptions, share.options)
  return { type, host, shareName, options, credential: await credentialOf(config, share) }
}

type ShareDraft = Pick<NetworkShareDraft, 'type' | 'host' | 'shareName' | 'options' | 'networkVolumeCredential'>

/** Binds the credentials of a new share to its host. Returns the fault of `takeHost`, if any. */
export const faultOfCredentials = (
  db: Platform['db'],
  { type, networkVolumeCredential, ...share }: ShareDraft,
): Promise<string | undefined> =>
  inTransaction(db, async (trx) => {
    if (type === 'NFS' || !networkVolumeCredential) return undefined
    const { id } = networkVolumeCredential
    return takeHost(trx, { table: 'networkCredentials', id, host: await hostOf(trx, { id, ...share }) })
  })

/** The mount of a share that is not set up yet, with stored credentials or a sign-in that is not stored. */
export async function mountOfDraft(
  { db, config }: Pick<Platform, 'db' | 'config'>,
  { networkVolumeCredential, signIn, ...share }: ShareDraft & { signIn: ShareMount['credential'] },
): Promise<ShareMount> {
  const id = share.type === 'NFS' ? null : (networkVolumeCredential?.id ?? null)
  const found = await db
    .selectFrom('networkCredentials')
    .select(['id as credentialId', 'name', 'username', 'password', 'domain', 'options as credentialOptions'])
    .where('id', '=', id)
    .executeTakeFirst()
  const options = joinedOptions(found?.credentialOptions, share.options)
  return {
    ...share,
    options,
    credential: found ? await credentialOf(config, found) : share.type === 'NFS' ? null : signIn,
  }
}

type Joined = Record<'name' | 'username' | 'password' | 'domain', string | null> & { credentialId: number | null }

async function credentialOf(
  config: Platform['config'],
  { credentialId: id, name, username, password: sealed, domain }: Joined,
): Promise<ShareMount['credential']> {
  const isGuest = id === null || name === null || username === null || sealed === null || domain === null
  if (isGuest) return null
  const password = await openCredential(config, shareCredentials, { id, name, secret: 'password', sealed })
  return { username, domain, password }
}
