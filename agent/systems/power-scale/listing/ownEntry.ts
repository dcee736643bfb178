import type { EntryRow } from '#events/scans/entryRow.ts'
import { Refused } from '../failures.ts'
import type { Listing } from './listPart.ts'
import { lookUp } from './lookUp.ts'
import { entryOf } from './namespaceEntry.ts'

/**
 * The entry of the scanned folder itself, from the folder that it is in: the metadata of a folder has no types. Undefined where the
 * user may not read that.
 */
export async function ownEntry(
  { directories, root }: Listing,
  scannedPath: string,
  signal: AbortSignal,
): Promise<EntryRow | undefined> {
  const { directory, name } = directories.placeOf(root + scannedPath)
  try {
    const children = await lookUp(directories, directory, [name], signal)
    const child = children.find((each) => each.name === name)
    if (!child) return undefined
    if (scannedPath === '') return { ...entryOf(child, ''), name: '' }
    return entryOf(child, scannedPath.slice(0, scannedPath.lastIndexOf('/') + 1))
  } catch (error) {
    if (error instanceof Refused) return undefined
    throw error
  }
}
