import type { Totals } from '#events/search/calls.ts'
import { type SizeBase, sizeWords } from '#client/ui/text/size.ts'

/** What counts as a duplicate, in a sentence for wherever the word stands. */
export const duplicateRule =
  'Duplicates have the same name, size and date of last change, in object storage the same eTag; their content is not compared.'

/** The same of folders. */
export const folderRule =
  'Folders are duplicates when their size, creation date and numbers of files and folders are the same; their content is not compared.'

/** What could be free again, beside the size of duplicates: `1.20 TiB reclaimable`; nothing of other files. */
export const reclaimableWords = ({ reclaimable }: Totals, base: SizeBase): string | undefined =>
  reclaimable === undefined ? undefined : reclaimableText(reclaimable, base)

/** `1.20 TiB reclaimable` */
export const reclaimableText = (bytes: number, base: SizeBase): string => `${sizeWords(bytes, base)} reclaimable`

/** What that means. */
export const reclaimableRule = 'Reclaimable is what all copies but one of each set take.'

/** Likewise of several folders, each of which is counted by itself. */
export const foldersReclaimableRule =
  'Reclaimable is what all copies but one of each set take that lie in the same folder of the project.'
