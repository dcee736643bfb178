import type { Growth } from '#events/comparison.ts'
import type { ComparedPlace, GrowthField } from './comparisonAddress.ts'

/** A part of what is compared, as its row says it. */
export type GrowthPart = {
  key: string
  label: string
  /** Whose it is, where several storages are compared. */
  storage: string | undefined
  /** The folder that the row leads into. */
  folder: { volumeId: number; path: string } | undefined
  /** The filter that finds the files of the row. */
  search: { name: 'owner' | 'extension'; word: string } | undefined
}

type Named = (volumeId: number) => string

const nothing: Record<GrowthField, string> = {
  folder: 'Files directly in it',
  owner: 'No owner',
  extension: 'No extension',
}

/** What a part is called and where it leads. */
export function growthPart(part: Growth, by: GrowthField, place: ComparedPlace, nameOf: Named): GrowthPart {
  const { field, isUnrecorded, volumeId, path } = part
  const isEverything = place.volumeId === undefined
  const isItself = volumeId === place.volumeId && path === place.path
  return {
    key: `${volumeId}:${isUnrecorded}:${field}`,
    label: isUnrecorded ? 'Not recorded file by file' : field || nothing[by],
    storage: isEverything && volumeId !== null ? nameOf(volumeId) : undefined,
    folder: volumeId === null || path === null || isItself ? undefined : { volumeId, path },
    search: by === 'folder' || isUnrecorded ? undefined : searched(by, field),
  }
}

/** A search reads its list of extensions without dots, commas and blanks. */
function searched(name: 'owner' | 'extension', word: string): GrowthPart['search'] {
  if (word === '' || (name === 'extension' && /[,.\s]/.test(word))) return undefined
  return { name, word }
}
