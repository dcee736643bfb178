import type { TransferOrder } from '#events/actions/orders.ts'
import type { PlannedFile } from '#events/actions/files.ts'
import { isText } from '#events/contract/fileNames.ts'
import { unsendable } from '../../actions/outcomes.ts'

/** A path of a storage, which begins with '/' and does not end with it. */
export const absolute = (path: string): string => `/${path.replace(/^\/+|\/+$/g, '')}`

/**
 * The reason why a file is not sent. Copies keep the paths of their sources below the target: with the storage's root as the target they
 * would be their own sources, and a source in the target folder could be overwritten by the copy of another one.
 */
export function placementFault(
  { sourceStorageId, target }: TransferOrder,
  { place, path }: Pick<PlannedFile, 'place' | 'path'>,
): string | undefined {
  if (!isText(place) || !isText(path)) return unsendable
  if (target.storageId !== sourceStorageId) return undefined
  const [source, folder] = [place, target.path].map(comparable) as [string, string]
  if (folder === '/') return 'The target is the root of the storage that it is on. Choose a folder, or another storage'
  if (isWithin(source, folder)) return 'It is in the target folder. Choose a folder without selected files'
  return isWithin(folder, source) ? 'The target is inside of it. Choose another folder' : undefined
}

const isWithin = (path: string, folder: string): boolean => `${path}/`.startsWith(`${folder}/`)

/** Equal for paths that are the same file of a storage that does not tell letter case and forms of Unicode apart. */
export const comparable = (path: string): string => absolute(path).normalize('NFC').toLowerCase()
