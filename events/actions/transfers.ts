import { z } from 'zod'
import { externalText, ExternalFailure } from '#events/contract/externalText.ts'
import { crud, endpoint } from '#events/contract/endpoint.ts'
import { pageQuery } from '#events/contract/page.ts'
import { mappedStorage, mappedPath } from '#events/sources/pathMapping.ts'

/** The storage of the transfer service, and the path there, of a folder of one of our storages. */
export const SodaMappingDraft = z.object({
  volumeId: mappedStorage('Storage'),
  dataintellPath: mappedPath('DataIntell Path'),
  sodaStorageId: z.string().trim().min(1, 'SODA Storage ID must not be empty').max(255),
  sodaPath: mappedPath('SODA Path'),
})
export type SodaMappingDraft = z.infer<typeof SodaMappingDraft>

/** `volumeName` is the name of our storage. */
export const SodaMapping = SodaMappingDraft.extend({ id: z.int(), volumeName: z.string() })
export type SodaMapping = z.infer<typeof SodaMapping>

const mappingCalls = crud('/v1/soda/volumeMappings', {
  needs: 'settings.edit',
  bundle: 'soda',
  entity: SodaMapping,
  draft: SodaMappingDraft,
  query: pageQuery(200),
  one: 'SODA storage path configuration',
  many: 'SODA storage path configurations',
})

/** Each storage has at most one mapping. Users who may start transfers can list the mappings. */
export const sodaMappings = { ...mappingCalls, list: { ...mappingCalls.list, needs: 'soda.use' } } as const

/** The transfer service and the client that signs in there. The secret is only sent to agents. */
export const SodaConnection = z.object({ url: z.string(), clientId: z.string(), clientSecret: z.string() })
export type SodaConnection = z.infer<typeof SodaConnection>

/** A request of the server to an agent for all storages of the transfer service, or for the folders in one folder of a storage. */
export const TransferQuestion = z.discriminatedUnion('list', [
  z.object({ connection: SodaConnection, list: z.literal('storages') }),
  z.object({ connection: SodaConnection, list: z.literal('folders'), storageId: z.string(), path: z.string() }),
])
export type TransferQuestion = z.infer<typeof TransferQuestion>

/** A storage of the transfer service. Bytes; null if unknown. */
export const TransferStorage = z.object({
  id: externalText(4_096),
  name: externalText(4_096),
  account: externalText(4_096),
  type: externalText(4_096),
  capacityUsed: z.number().nullable(),
  capacityTotal: z.number().nullable(),
})
export type TransferStorage = z.infer<typeof TransferStorage>

/** A folder of a storage of the transfer service, with its path there. */
export const TransferFolder = z.object({ name: externalText(4_096), path: externalText(32_768) })
export type TransferFolder = z.infer<typeof TransferFolder>

/** Maximum lengths of the lists. */
export const maxTransferStorages = 10_000
export const maxTransferFolders = 50_000

/** The requested list, by name; the other one is empty. `debugMessage` is the service's own text. */
export const TransferAnswer = z.object({
  failure: ExternalFailure.nullable(),
  storages: z.array(TransferStorage).max(maxTransferStorages),
  folders: z.array(TransferFolder).max(maxTransferFolders),
})
export type TransferAnswer = z.infer<typeof TransferAnswer>

const listing = { needs: 'soda.use', bundle: 'soda', method: 'GET' } as const

/** Storages to transfer to, by name, as a connected agent lists them. 409 if the service is not configured, 502 with its own error. */
export const transferStorages = endpoint({
  ...listing,
  limitedBy: 'refused',
  path: '/v1/soda/storages',
  failure: 'Unable to get the list of storages from the transfer service.',
  answer: z.array(TransferStorage),
})

/** Folders in one folder of a storage of the transfer service, by name; fails like `transferStorages`. */
export const transferFolders = endpoint({
  ...listing,
  limitedBy: 'refused',
  path: '/v1/soda/storages/:storageId/folders',
  failure: 'Unable to get the list of folders from the transfer service.',
  params: z.object({ storageId: z.string().max(255) }),
  query: z.object({ path: z.string().max(4_096).default('/') }),
  answer: z.array(TransferFolder),
})

/** The one who deletes moved files: an agent once the copy was verified, or the transfer service. */
export const DeletedBy = z.enum(['agent', 'service'])
export type DeletedBy = z.infer<typeof DeletedBy>

/** Settings that matter to users who transfer. */
export const transferOptions = endpoint({
  ...listing,
  limitedBy: 'refused',
  path: '/v1/soda/options',
  failure: 'Unable to get the settings of the transfer service.',
  answer: z.object({ movesDeletedBy: DeletedBy }),
})

/** Handling of files that the target has already. */
export const conflictHandlings = {
  OVERWRITE: 'Overwrite Target File',
  RENAME: 'Rename Transferred File',
  SKIP: 'Skip Source File',
} as const
export type ConflictHandling = keyof typeof conflictHandlings
