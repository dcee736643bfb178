import type { Growth } from '#events/comparison.ts'
import type { ComparedPlace, GrowthField } from './comparisonAddress.ts'

/** A row of the growth card. */
export type GrowthPart = {
  key: string
  label: string
  /** Storage of the part, if several are compared. */
  storage: string | undefined
  /** Folder that the row links to. */
  folder: { volumeId: number; path: string } | undefined
  /** Filter of the differences for the files of the row. */
  files: { name: 'owner' | 'extension'; word: string } | undefined
}

type StorageNameLookup = (volumeId: number) => string

const nothing: Record<GrowthField, string> = {
  folder: 'Files directly in it',
  owner: 'No owner',
  extension: 'No extension',
}

/** Label and link of a part. */
export function growthPart(part: Growth, by: GrowthField, place: ComparedPlace, nameOf: StorageNameLookup): GrowthPart {
  const { field, isUnrecorded, volumeId, path } = part
  const isEverything = place.volumeId === undefined
  const isItself = volumeId === place.volumeId && path === place.path
  return {
    key: `${volumeId}:${isUnrecorded}:${field}`,
    label: isUnrecorded ? 'Not recorded file by file' : field || nothing[by],
    storage: isEverything && volumeId !== null ? nameOf(volumeId) : undefined,
    folder: volumeId === null || path === null || isItself ? undefined : { volumeId, path },
    files: by === 'folder' || isUnrecorded || field === '' ? undefined : { name: by, word: field },
  }
}
