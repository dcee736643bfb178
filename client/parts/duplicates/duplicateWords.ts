import type { Totals } from '#events/search/calls.ts'
import { type SizeBase, sizeWords } from '#client/ui/text/size.ts'

/** Definition of duplicate files. */
export const duplicateRule =
  "Duplicates have the same name, size and modification date, or the same ETag. Contents are compared only if you start a comparison. Files in snapshots or with dates set by packaging tools don't count."

/** Definition of folders that may be duplicates. */
export const folderRule =
  "Possible duplicates are folders whose size, creation date and numbers of files and folders match. Contents are not compared, so look at them before you delete any. Empty folders don't count."

/** `1.20 TiB reclaimable`, next to the size of duplicates; undefined for other files. */
export const reclaimableWords = ({ reclaimable }: Totals, base: SizeBase): string | undefined =>
  reclaimable === undefined ? undefined : reclaimableText(reclaimable, base)

export const reclaimableText = (bytes: number, base: SizeBase): string => `${sizeWords(bytes, base)} reclaimable`

export const reclaimableRule = 'Reclaimable: space freed by keeping one copy of each file.'

/** For several folders, each of which is counted separately. */
export const foldersReclaimableRule =
  'Reclaimable is the space used by all but one copy of each set within the same folder of the project.'
