import type { Dominant, DominantField } from '#events/map.ts'

/** What folders mostly consist of, by their paths, as far as that is known. */
export type Mostly = {
  by: DominantField
  folders: ReadonlyMap<string, Dominant>
  state: 'reading' | 'failed' | 'read'
}

/** What is said to be the largest of a folder. */
export const largestWords = { extension: 'Largest type', owner: 'Largest owner' } as const

/** What the colours of folders mean, beside those of files. */
export const folderColours = {
  extension: 'A folder has the colour of the largest type in it, and counts whole.',
  owner: 'A folder has the colour of the largest owner in it, and counts whole.',
} as const

const untold = { reading: 'being read', failed: 'not read', read: 'not known' } as const

/** Why it is not said of a folder. Files below a path that is not indexed are known neither by type nor by owner. */
export const untoldWords = (mostly: Mostly | undefined): string => untold[mostly?.state ?? 'reading']
