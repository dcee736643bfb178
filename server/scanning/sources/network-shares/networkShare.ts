import type { Selectable } from 'kysely'
import type { NetworkShareDraft } from '#events/sources/networkShares.ts'
import { bindToHost } from '#server/platform/crud/boundSecrets.ts'
import { checkExists } from '#server/platform/crud/checkExists.ts'
import type { Tables } from '#server/platform/postgres/tables.ts'
import { folderDraft, folderRow } from '../folderRow.ts'
import { hostOf } from './hostOf.ts'
import { sourceTable, type SourceTable } from '../sourceTable.ts'

/** Columns of a share. */
type Share = Omit<Selectable<Tables['networkVolumes']>, 'id' | 'volumeId'>

export const draftOf: SourceTable<NetworkShareDraft, Share>['draftOf'] = (row, { credentialId, ...share }) => ({
  ...folderDraft(row),
  ...share,
  dataintellName: row.name,
  serverId: row.agentId,
  networkVolumeCredential: credentialId === null ? null : { id: credentialId },
})

/** A network share, which the agent mounts for the scan. */
export const networkShare = sourceTable<NetworkShareDraft, Share>({
  kind: 'networkShare',
  fields: { name: 'dataintellName', agent: 'serverId' },
  rowOf: (draft) => ({
    ...folderRow(draft),
    type: 'NetworkVolume',
    name: draft.dataintellName,
    agentId: draft.serverId,
  }),
  details: {
    table: 'networkVolumes',
    columns: ['type', 'host', 'shareName', 'options', 'credentialId'],
    of: ({ type, host, shareName, options, networkVolumeCredential }) => ({
      type,
      host,
      shareName,
      options,
      // NFS has no credentials.
      credentialId: type === 'NFS' ? null : (networkVolumeCredential?.id ?? null),
    }),
    check: async (trx, { credentialId: id, host, options }) => {
      if (id === null) return
      const field = 'networkVolumeCredential.id'
      await checkExists(trx.selectFrom('networkCredentials'), { id, field, what: 'credentials that exist' })
      await bindToHost(trx, { table: 'networkCredentials', id, host: await hostOf(trx, { id, host, options }), field })
    },
  },
  draftOf,
})
