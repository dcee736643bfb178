import { type ArchiwareMapping, ArchiwareMappingDraft } from '#events/sources/archiwareMappings.ts'
import { defineForm } from '#client/app/defineForm.ts'

/** The storage is '' if none is selected. */
export type MappingFields = { volume: string; dataintellPath: string; archiwarePath: string }

/** Mapping of the paths of a storage. */
export const mappingForm = defineForm<MappingFields, ArchiwareMappingDraft, ArchiwareMapping>({
  schema: ArchiwareMappingDraft,
  fields: { volume: '', dataintellPath: '', archiwarePath: '' },
  fromRow: ({ volumeId, dataintellPath, archiwarePath }) => ({
    volume: String(volumeId),
    dataintellPath,
    archiwarePath,
  }),
  toDraft: ({ volume, ...paths }) => ({ volumeId: Number(volume), ...paths }),
  inputFor: { volumeId: 'volume' },
})
