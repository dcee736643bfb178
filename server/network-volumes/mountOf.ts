import type { ShareMount } from '#events/scans.ts'
import type { Platform } from '#server/platform/platform.ts'
import { openPassword } from './changeCredential.ts'

/**
 * What an agent mounts to scan a storage; undefined for a folder of its own machine. The password in it goes into the
 * answer to that agent and nowhere else. Throws 409 when the key of this server does not open it.
 */
export async function mountOf(
  { db, config }: Pick<Platform, 'db' | 'config'>,
  volumeId: number,
): Promise<ShareMount | undefined> {
  const share = await db
    .selectFrom('networkVolumes')
    .leftJoin('networkCredentials', 'networkCredentials.id', 'credentialId')
    .select(['type', 'host', 'shareName', 'networkVolumes.options', 'credentialId'])
    .select(['networkCredentials.name', 'username', 'password', 'domain'])
    .select('networkCredentials.options as credentialOptions')
    .where('volumeId', '=', volumeId)
    .executeTakeFirst()
  if (!share) return undefined
  const { type, host, shareName } = share
  // What a storage asks for comes last, and counts.
  const options = [share.credentialOptions, share.options].filter((some) => some).join(',')
  return { type, host, shareName, options, credential: await credentialOf(config, share) }
}

type Joined = Record<'name' | 'username' | 'password' | 'domain', string | null> & { credentialId: number | null }

async function credentialOf(
  config: Platform['config'],
  { credentialId: id, name, username, password: sealed, domain }: Joined,
): Promise<ShareMount['credential']> {
  const isGuest = id === null || name === null || username === null || sealed === null || domain === null
  return isGuest ? null : { username, domain, password: await openPassword(config, { id, name, sealed }) }
}
