import { secretWay } from '#events/sources/mountRules.ts'
import type { NetworkCredentialDraft } from '#events/sources/networkShares.ts'
import { streamNames } from '#events/streams.ts'
import type { Credentials } from '#server/platform/crud/credentials.ts'

/** Credentials for shares. */
export const shareCredentials: Credentials<NetworkCredentialDraft, 'password'> = {
  table: 'networkCredentials',
  stream: streamNames.networkCredential,
  one: 'On-Premises credentials',
  shown: ['name', 'username', 'domain', 'options'],
  secrets: { password: 'password' },
  addressOf: ({ options }) => Object.values(secretWay(options)).join(' '),
  areForHosts: true,
  usedBy: (trx, id) =>
    trx
      .selectFrom('networkVolumes')
      .innerJoin('volumes', 'volumes.id', 'networkVolumes.volumeId')
      .select('volumes.name')
      .where('credentialId', '=', id)
      .where('volumes.deletedAt', 'is', null)
      .execute(),
}
