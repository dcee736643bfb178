import type { Directories } from '../listing/directories.ts'
import type { PlacedChange } from './change.ts'
import { FullScanNeeded, reasons } from './fullScan.ts'

type Options = { directories: Directories; root: string; signal: AbortSignal }

/** Directories that are looked up at most. With more, a full scan takes no longer. */
const maxDirectories = 500

/**
 * Counts the links of entries that have several. A changelist may name one path of a file or all of them: throws `FullScanNeeded`
 * where paths changed that `changes` does not name.
 */
export async function countLinks(
  entries: readonly PlacedChange[],
  changes: readonly PlacedChange[],
  { directories, root, signal }: Options,
): Promise<ReadonlyMap<number | bigint, number>> {
  const linked = entries.filter(({ types, path }) => types.includes('ENTRY_HAS_HARDLINKS') && path !== '')
  const first = [...new Map(linked.map((change) => [change.lin, change])).values()]
  const byDirectory = Map.groupBy(first, ({ path }) => path.slice(0, path.lastIndexOf('/')))
  if (byDirectory.size > maxDirectories) throw new FullScanNeeded(reasons.hardLinks)
  const counts = new Map<number | bigint, number>()
  for (const [directory, changes] of byDirectory) {
    const names = changes.map(({ path }) => path.slice(directory.length + 1))
    for (const { id, nlink } of await directories.lookUp(root + directory, names, signal))
      if (typeof id === 'number' || typeof id === 'bigint') counts.set(id, nlink ?? 1)
  }
  const named = Map.groupBy(changes, ({ lin }) => lin)
  for (const { lin } of first)
    if ((counts.get(lin) ?? Infinity) > (named.get(lin)?.length ?? 0)) throw new FullScanNeeded(reasons.hardLinks)
  return counts
}
