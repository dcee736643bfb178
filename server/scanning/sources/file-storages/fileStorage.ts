import { inTransaction } from '#server/platform/postgres/inTransaction.ts'
import type { z } from 'zod'
import { FileStorageDraft, PriceBookOfStorage } from '#events/sources/fileStorages.ts'
import { changeIn } from '#server/platform/log/change.ts'
import { type Actor, system } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { folderDraft, folderRow } from '../folderRow.ts'
import { sourceTable } from '../sourceTable.ts'

/** A folder of an agent's own machine. It has no table of its own, so its deletion works for sources of any kind. */
export const fileStorage = sourceTable<FileStorageDraft, object>({
  kind: 'fileStorage',
  fields: { name: 'name', agent: 'server.id' },
  rowOf: (draft) => ({
    ...folderRow(draft),
    type: 'crawl.files',
    name: draft.name,
    agentId: draft.server.id,
    crossFileSystems: draft.includesMountedFileSystems,
    policyActions: draft.policyActions,
    followsChanges: draft.followsChanges,
    readMedia: draft.readMedia,
  }),
  draftOf: (row) => ({
    ...folderDraft(row),
    type: 'crawl.files',
    name: row.name,
    server: { id: row.agentId },
    includesMountedFileSystems: row.crossFileSystems,
    policyActions: row.policyActions,
    followsChanges: row.followsChanges,
    readMedia: row.readMedia,
  }),
})

const StoredFileStorage = FileStorageDraft.extend({ storagePrice: PriceBookOfStorage.nullable().default(null) })

/** Adds a file storage without notifying browsers: for the first start, and for tests. */
export const createFileStorage = (
  db: Db,
  draft: z.input<typeof StoredFileStorage>,
  by: Actor = system,
): Promise<number> => inTransaction(db, (trx) => fileStorage.create(changeIn(trx, by), StoredFileStorage.parse(draft)))
