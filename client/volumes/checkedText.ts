import type { CheckedAction } from '#events/actions/checked.ts'
import { goneWords, storageText } from '#events/jobs/foundText.ts'
import { momentText } from '#client/ui/text/moment.ts'
import { type SizeBase, sizeWords } from '#client/ui/text/size.ts'

/** Time of an action and its files in the storage, such as `Nov 27, 2026, 10:00, 12 files: 12 gone, 4.1 TiB freed`. */
export const checkedText = ({ type, endedAt, found }: CheckedAction, base: SizeBase): string =>
  `${momentText(endedAt)}, ${storageText(found)}${found.gone > 0 ? `, ${sizeWords(found.goneBytes, base)} ${goneWords(type)}` : ''}`
