import { z } from 'zod'
import { crud, endpoint } from '#events/contract/endpoint.ts'
import { writtenInt } from '#events/contract/numbers.ts'
import { globalMapping, mappedPath } from './pathMapping.ts'

/** Paths of P5 clients for a folder of a storage; with the volume id -1, for all storages without their own. */
export const ArchiwareMappingDraft = z.object({
  volumeId: z
    .int('File Storage must not be empty')
    .refine((id) => id === globalMapping || id > 0, 'File Storage must not be empty'),
  dataintellPath: mappedPath('DataIntell Path'),
  archiwarePath: mappedPath('Archiware P5 Path'),
})
export type ArchiwareMappingDraft = z.infer<typeof ArchiwareMappingDraft>

/** `volumeName` is the name of the storage, null of the global mapping. */
export const ArchiwareMapping = ArchiwareMappingDraft.extend({ id: z.int(), volumeName: z.string().nullable() })
export type ArchiwareMapping = z.infer<typeof ArchiwareMapping>

const settings = { needs: 'settings.edit', bundle: 'archiwareP5' } as const

/** The mappings of single storages are listed; the global one is read by its volume id. Each storage has at most one. */
export const archiwareMappings = {
  ...crud('/v1/archiwares/volumeMapping', {
    ...settings,
    entity: ArchiwareMapping,
    draft: ArchiwareMappingDraft,
    one: 'File Storage path configuration',
    many: 'storage path configurations for archiware',
    failures: { list: 'Unable to get the list of File Storage path configurations' },
  }),
  /** Null where the storage has none. */
  ofVolume: endpoint({
    ...settings,
    method: 'GET',
    path: '/v1/archiwares/volumeMapping/volumes/:volumeId',
    failure: 'Unable to get the list of File Storage path configurations',
    params: z.object({ volumeId: writtenInt(globalMapping, 2 ** 31 - 1) }),
    answer: ArchiwareMapping.nullable(),
  }),
}
