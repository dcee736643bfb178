import type { ArchiwareConnection, ArchiwareCredentialDraft } from '#events/sources/archiwares.ts'
import { streamNames } from '#events/streams.ts'
import { type Credentials, openCredential } from '#server/platform/crud/credentials.ts'
import type { Platform } from '#server/platform/platform.ts'
import { notFound } from '#server/platform/problem.ts'

/** Users of P5 servers. */
export const archiwareCredentials: Credentials<ArchiwareCredentialDraft, 'password'> = {
  table: 'archiwareCredentials',
  stream: streamNames.archiwareCredential,
  one: 'archiware credential',
  shown: ['name', 'username', 'url', 'certificateFingerprint'],
  secrets: { password: 'password' },
  addressOf: ({ url }) => url,
  usedBy: (trx, id) =>
    trx
      .selectFrom('archiwares')
      .innerJoin('volumes', 'volumes.id', 'archiwares.volumeId')
      .select('volumes.name')
      .where('credentialId', '=', id)
      .where('volumes.deletedAt', 'is', null)
      .execute(),
}

/**
 * A P5 server with the password to sign in there, which goes to an agent and nowhere else. Throws 404 without the
 * credentials, and 409 if they were encrypted with a different server key.
 */
export async function connectionOf(
  { db, config }: Pick<Platform, 'db' | 'config'>,
  id: number,
): Promise<ArchiwareConnection> {
  const row = await db.selectFrom('archiwareCredentials').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) return notFound(archiwareCredentials.one, id)
  const { name, url, username, password: sealed, certificateFingerprint: fingerprint } = row
  const password = await openCredential(config, archiwareCredentials, { id, name, secret: 'password', sealed })
  return { url, username, password, ...(fingerprint !== '' && { fingerprint }) }
}
