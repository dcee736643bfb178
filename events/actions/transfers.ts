import { z } from 'zod'
import { crud } from '#events/contract/endpoint.ts'
import { pageQuery } from '#events/contract/page.ts'
import { mappedStorage, mappingField } from '#events/sources/pathMapping.ts'

/** The storage of the transfer service, and the path there, of a folder of one of our storages. */
export const SodaMappingDraft = z.object({
  volumeId: mappedStorage('Storage'),
  dataintellPath: mappingField('DataIntell Path'),
  sodaStorageId: mappingField('SODA Storage ID', 255),
  sodaPath: mappingField('SODA Path'),
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
  id: z.string(),
  name: z.string(),
  account: z.string(),
  type: z.string(),
  capacityUsed: z.number().nullable(),
  capacityTotal: z.number().nullable(),
})
export type TransferStorage = z.infer<typeof TransferStorage>

/** The requested list, by name; the other one is empty. `debugMessage` is the service's own text. */
export const TransferAnswer = z.object({
  failure: z.object({ message: z.string(), debugMessage: z.string() }).nullable(),
  storages: z.array(TransferStorage),
  folders: z.array(z.object({ name: z.string(), path: z.string() })),
})
export type TransferAnswer = z.infer<typeof TransferAnswer>
