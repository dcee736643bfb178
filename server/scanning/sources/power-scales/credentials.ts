import type { PowerScaleCredentialDraft } from '#events/sources/powerScales.ts'
import { streamNames } from '#events/streams.ts'
import type { Credentials } from '#server/platform/crud/credentials.ts'

/** Users of the API of clusters. */
export const powerScaleCredentials: Credentials<PowerScaleCredentialDraft, 'password'> = {
  table: 'powerScaleCredentials',
  stream: streamNames.powerScaleCredential,
  one: 'Dell PowerScale credentials',
  shown: ['name', 'username'],
  secrets: { password: 'password' },
  addressOf: () => '',
  areForHosts: true,
  usedBy: (trx, id) =>
    trx
      .selectFrom('powerScales')
      .innerJoin('volumes', 'volumes.id', 'powerScales.volumeId')
      .select('volumes.name')
      .where('credentialId', '=', id)
      .where('volumes.deletedAt', 'is', null)
      .execute(),
}
