import { type NotEntered, notEnteredWords } from '#events/scans/notEntered.ts'
import { counted } from '#client/ui/text/count.ts'

type Folder = NotEntered & { path: string }

/** Number of paths in a text. */
const named = 5

/** `3 file systems not included`; `count` is their number if `folders` are only the first ones. */
export function notIncludedCount(folders: readonly Folder[], count = folders.length): string {
  const areFileSystems = folders.every(({ reason }) => reason === 'fileSystem')
  return `${counted(count, areFileSystems ? 'file system' : 'folder')} not included`
}

/** Same, with the first paths and reasons. */
export function notIncludedText(folders: readonly Folder[], count = folders.length): string {
  const paths = folders.slice(0, named).map((folder) => `${folder.path} is ${wordsOf(folder)}`)
  const rest = count > paths.length ? `, and ${counted(count - paths.length, 'other')}` : ''
  return `${notIncludedCount(folders, count)}: ${paths.join(', ')}${rest}`
}

/** A note on the row of a folder. */
export const notEnteredChip = (notEntered: NotEntered): string => `Not included: ${wordsOf(notEntered)}`

const wordsOf = (notEntered: NotEntered): string =>
  notEntered.reason === 'tooDeep' ? 'too deep' : notEnteredWords(notEntered)
