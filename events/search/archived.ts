import { z } from 'zod'
import { AtDate, endpoint, Id } from '#events/contract/endpoint.ts'

/**
 * States of a file compared with the entry at its mapped path in the archive indexes. `archived`: the same size and
 * modified time. `changed`: only others. Contents are not compared.
 */
export const archiveStates = ['archived', 'changed', 'notArchived'] as const
export type ArchiveState = (typeof archiveStates)[number]

export const archiveStateTitles: Record<ArchiveState, string> = {
  archived: 'Archived',
  changed: 'Changed since archived',
  notArchived: 'Not archived',
}

/** `since` is the backup date of the matching version, null if unknown; `index` is the name of its storage. */
export const FileArchive = z.object({
  state: z.enum(archiveStates),
  since: z.string().nullable(),
  index: z.string().nullable(),
})
export type FileArchive = z.infer<typeof FileArchive>

const Amount = z.object({ count: z.number(), size: z.number() })

/** Files of a storage by state, in bytes counted once. `indexes` are the names of the compared indexes. */
export const ArchivedTotals = z.object({
  archived: Amount,
  changed: Amount,
  notArchived: Amount,
  indexes: z.array(z.string()),
})
export type ArchivedTotals = z.infer<typeof ArchivedTotals>

/** Null without an archive index in the snapshot, for a storage that is no file storage, and with limits. 404 if the snapshot has no such storage. */
export const archivedTotals = endpoint({
  method: 'GET',
  path: '/v1/detailedVolumes/:id/archived',
  needs: 'snapshots.see',
  limitedBy: 'storages',
  bundle: 'archiwareP5',
  failure: 'Unable to compare the storage with the archive indexes',
  params: Id,
  query: AtDate,
  answer: ArchivedTotals.nullable(),
})
