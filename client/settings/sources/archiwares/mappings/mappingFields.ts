import { type ArchiwareMapping, ArchiwareMappingDraft } from '#events/sources/archiwareMappings.ts'
import { globalMapping } from '#events/sources/pathMapping.ts'
import { checkedBy } from '#client/app/form.ts'

/** The fields of the forms. The storage is '' if none is selected. */
export type MappingFields = { volume: string; dataintellPath: string; archiwarePath: string }

export const newMapping: MappingFields = { volume: '', dataintellPath: '', archiwarePath: '' }
export const newGlobalMapping: MappingFields = { ...newMapping, volume: String(globalMapping) }

export const fieldsOf = ({ volumeId, dataintellPath, archiwarePath }: ArchiwareMapping): MappingFields => ({
  volume: String(volumeId),
  dataintellPath,
  archiwarePath,
})

export const draftOf = ({ volume, ...paths }: MappingFields): ArchiwareMappingDraft => ({
  volumeId: Number(volume),
  ...paths,
})

export const shownAt = (field: string): string => (field === 'volumeId' ? 'volume' : field)

/** Error messages by field. */
export const mappingErrors = (fields: MappingFields): Record<string, string> =>
  Object.fromEntries(
    Object.entries(checkedBy(ArchiwareMappingDraft)(draftOf(fields))).map(([field, message]) => [
      shownAt(field),
      message,
    ]),
  )
