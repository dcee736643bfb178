import type { Selectable } from 'kysely'
import type { PowerScaleDraft } from '#events/sources/powerScales.ts'
import { bindToHost } from '#server/platform/crud/boundSecrets.ts'
import { checkExists } from '#server/platform/crud/checkExists.ts'
import type { Tables } from '#server/platform/postgres/tables.ts'
import { folderDraft, folderRow } from '../folderRow.ts'
import { sourceTable, type SourceTable } from '../sourceTable.ts'

/** Columns of a storage's cluster. */
export type Cluster = Omit<Selectable<Tables['powerScales']>, 'id' | 'volumeId'>

export const draftOf: SourceTable<PowerScaleDraft, Cluster>['draftOf'] = (row, cluster) => {
  const { scanType, storagePrice, volumeIgnoreRules, sizeBasis, pace } = folderDraft(row)
  return {
    host: cluster.host,
    dataintellName: row.name,
    path: cluster.path,
    scanType,
    dellPowerScaleCredentials: { id: cluster.credentialId ?? 0 },
    storagePrice,
    serverId: row.agentId,
    volumeIgnoreRules,
    sizeBasis,
    pace,
    fullScanSnapshotExpiresDays: cluster.fullSnapshotDays,
    deltaScanSnapshotExpiresDays: cluster.deltaSnapshotDays,
    certificateFingerprint: cluster.certificateFingerprint,
  }
}

/**
 * A folder of a cluster. Several clusters have the same paths, so users see them with the host, as for an NFS export.
 */
export const powerScale = sourceTable<PowerScaleDraft, Cluster>({
  kind: 'powerScale',
  fields: { name: 'dataintellName', agent: 'serverId' },
  rowOf: (draft) => ({
    ...folderRow({ ...draft, volumeIndexFolderOnlyPaths: [] }),
    type: 'DellPowerScale',
    name: draft.dataintellName,
    path: `${draft.host.replace(/:\d+$/, '')}:${draft.path}`,
    agentId: draft.serverId,
  }),
  details: {
    table: 'powerScales',
    columns: ['host', 'path', 'credentialId', 'fullSnapshotDays', 'deltaSnapshotDays', 'certificateFingerprint'],
    of: ({ host, path, dellPowerScaleCredentials, certificateFingerprint, ...days }) => ({
      host,
      path,
      credentialId: dellPowerScaleCredentials.id,
      fullSnapshotDays: days.fullScanSnapshotExpiresDays,
      deltaSnapshotDays: days.deltaScanSnapshotExpiresDays,
      certificateFingerprint,
    }),
    check: async (trx, { credentialId, host }) => {
      const [id, field] = [credentialId ?? 0, 'dellPowerScaleCredentials.id']
      await checkExists(trx.selectFrom('powerScaleCredentials'), { id, field, what: 'credentials that exist' })
      await bindToHost(trx, { table: 'powerScaleCredentials', id, host, field })
    },
  },
  draftOf,
})
