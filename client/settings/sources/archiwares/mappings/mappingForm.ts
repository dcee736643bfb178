import { type ArchiwareMapping, ArchiwareMappingDraft, archiwareMappings } from '#events/sources/archiwareMappings.ts'
import { describeForm } from '#client/parts/settings-table/describeForm.ts'
import { dataintellPathField } from '../../../path-mappings/pathMappingTable.tsx'
import { storageField } from '../../../path-mappings/storageField.tsx'

/** Mapping of the paths of a storage. */
export const mappingForm = describeForm<ArchiwareMapping, ArchiwareMappingDraft>()({
  schema: ArchiwareMappingDraft,
  fields: {
    volume: storageField({
      label: 'File Storage',
      groups: ['file'],
      list: archiwareMappings.list,
      topic: 'archiwareMappings',
    }),
    dataintellPath: dataintellPathField,
    archiwarePath: {
      label: 'Archiware P5 Path',
      description: 'The same folder as P5 clients see it',
      placeholder: '/Volumes/Projects',
      errorLabel: 'Archiware path',
      initial: '',
    },
  },
})
