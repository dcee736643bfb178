import type { Totals } from '#events/search/calls.ts'
import { type SizeBase, sizeWords } from '#client/ui/text/size.ts'

/** Definition of duplicate files. */
export const duplicateRule =
  'Duplicates have the same name, size and date of last change, in object storage the same eTag; their content is not compared.'

/** Definition of duplicate folders. */
export const folderRule =
  'Folders are duplicates when their size, creation date and numbers of files and folders are the same; their content is not compared.'

/** `1.20 TiB reclaimable`, next to the size of duplicates; undefined for other files. */
export const reclaimableWords = ({ reclaimable }: Totals, base: SizeBase): string | undefined =>
  reclaimable === undefined ? undefined : reclaimableText(reclaimable, base)

export const reclaimableText = (bytes: number, base: SizeBase): string => `${sizeWords(bytes, base)} reclaimable`

export const reclaimableRule = 'Reclaimable is what all copies but one of each set take.'

/** For several folders, each of which is counted separately. */
export const foldersReclaimableRule =
  'Reclaimable is what all copies but one of each set take that lie in the same folder of the project.'
