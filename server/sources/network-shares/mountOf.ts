import type { NetworkShareDraft, ShareMount } from '#events/sources/networkShares.ts'
import type { Platform } from '#server/platform/platform.ts'
import { openCredential } from '#server/platform/crud/credentials.ts'
import { shareCredentials } from './credentials.ts'

/**
 * What an agent mounts to scan a storage. The password in it goes into the answer to that agent and nowhere else. Throws 409 when the
 * key of this server does not open it.
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
  // What a storage asks for comes last, and counts.
  const options = [share.credentialOptions, share.options].filter((some) => some).join(',')
  return { type, host, shareName, options, credential: await credentialOf(config, share) }
}

type ShareDraft = Pick<NetworkShareDraft, 'type' | 'host' | 'shareName' | 'options' | 'networkVolumeCredential'>

/** The same of a share that is not set up yet. */
export async function mountOfDraft(
  { db, config }: Pick<Platform, 'db' | 'config'>,
  { networkVolumeCredential, ...share }: ShareDraft,
): Promise<ShareMount> {
  const id = share.type === 'NFS' ? null : (networkVolumeCredential?.id ?? null)
  const found = await db
    .selectFrom('networkCredentials')
    .select(['id as credentialId', 'name', 'username', 'password', 'domain', 'options as credentialOptions'])
    .where('id', '=', id)
    .executeTakeFirst()
  const options = [found?.credentialOptions, share.options].filter((some) => some).join(',')
  return { ...share, options, credential: found ? await credentialOf(config, found) : null }
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
