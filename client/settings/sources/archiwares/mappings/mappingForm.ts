import { type ArchiwareMapping, ArchiwareMappingDraft } from '#events/sources/archiwareMappings.ts'
import { defineForm } from '#client/app/defineForm.ts'
import { dataintellPathInput, type MappingFields } from '../../../path-mappings/pathMappingTable.tsx'

export type ArchiwareMappingFields = MappingFields & { archiwarePath: string }

/** Mapping of the paths of a storage. */
export const mappingForm = defineForm<ArchiwareMappingFields, ArchiwareMappingDraft, ArchiwareMapping>({
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

/** Inputs of both paths. */
export const pathInputs = [
  dataintellPathInput,
  {
    name: 'archiwarePath',
    label: 'Archiware P5 Path',
    description: 'The same folder as P5 clients see it',
    placeholder: '/Volumes/Projects',
  },
] as const
