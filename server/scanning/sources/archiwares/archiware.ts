import type { Selectable } from 'kysely'
import type { ArchiwareDraft } from '#events/sources/archiwares.ts'
import { checkExists } from '#server/platform/crud/checkExists.ts'
import type { Tables } from '#server/platform/postgres/tables.ts'
import { sourceTable, type SourceTable } from '../sourceTable.ts'

/** Columns of an index at its P5 server. */
export type Index = Omit<Selectable<Tables['archiwares']>, 'id' | 'volumeId'>

export const draftOf: SourceTable<ArchiwareDraft, Index>['draftOf'] = (row, index) => ({
  indexId: index.indexId,
  path: index.path,
  name: row.name,
  archiwareP5Credential: { id: index.credentialId ?? 0 },
  storagePrice: row.storagePriceId === null ? null : { id: row.storagePriceId },
  serverId: row.agentId,
  pace: row.pace,
})

/** An archive index. Its paths are often those of the archived storages, so users see them with the index. */
export const archiware = sourceTable<ArchiwareDraft, Index>({
  kind: 'archiware',
  fields: {
    name: 'name',
    agent: 'serverId',
    taken: (name, isNew) =>
      isNew ? `ArchiwareP5Index name should be unique,${name} already exists` : 'DataIntell Name must be unique',
  },
  rowOf: ({ name, indexId, path, serverId, storagePrice, pace }) => ({
    type: 'Archiware',
    name,
    path: `p5://${indexId}${path === '/' ? '' : path}`,
    agentId: serverId,
    storagePriceId: storagePrice?.id ?? null,
    pace,
  }),
  details: {
    table: 'archiwares',
    columns: ['indexId', 'path', 'credentialId'],
    of: ({ indexId, path, archiwareP5Credential }) => ({ indexId, path, credentialId: archiwareP5Credential.id }),
    check: async (trx, { credentialId: id }) => {
      const named = { field: 'archiwareP5Credential.id', what: 'credentials that exist' }
      await checkExists(trx.selectFrom('archiwareCredentials'), { id: id ?? 0, ...named })
    },
  },
  draftOf,
})
