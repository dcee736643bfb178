import type { Directories } from '../listing/directories.ts'
import { lookUp } from '../listing/lookUp.ts'
import type { Baseline } from '../baseline.ts'
import type { ChangedEntry } from './applyChanges.ts'
import type { PlacedChange } from './change.ts'
import { FullScanNeeded, reasons } from './fullScan.ts'

type Options = { directories: Directories; root: string; signal: AbortSignal }

/** Directories that are looked up at most. With more, a full scan takes no longer. */
const maxDirectories = 500

/** Files that are looked up at most, for the same reason. */
const maxFiles = 100_000

/**
 * Checks the number of links of entries that have several: a changelist may name one path of a file or all of them. `known` is what the
 * baseline says of links. Throws `FullScanNeeded` where there are too many files to look up.
 */
export function newLinkCheck(known: Baseline['links'], namesEachLink: boolean, options: Options) {
  let isLinked = false
  const unsure = new Map<PlacedChange['lin'], ChangedEntry>()
  const namesEach = known === 'each' || namesEachLink
  return {
    see(entry: ChangedEntry): void {
      if (!hasLinks(entry)) return
      isLinked = true
      // New links are always named. If there were no links before, a file had at most one other path.
      if (!namesEach && !(known === 'none' && entry.isOldNamed)) unsure.set(entry.change.lin, entry)
      if (unsure.size > maxFiles) throw new FullScanNeeded(reasons.hardLinks)
    },
    /** Links of the next baseline. Throws `FullScanNeeded` where the changelist does not name a path that changed. */
    async links(): Promise<Baseline['links']> {
      const read = await readCounts(
        [...unsure.values()].map(({ change }) => change),
        options,
      )
      for (const [lin, { named }] of unsure)
        if ((read.get(lin) ?? Infinity) > named) throw new FullScanNeeded(reasons.hardLinks)
      if (!isLinked) return known
      return namesEach ? 'each' : undefined
    },
  }
}

/** The entry is one of several paths of a file. */
export const hasLinks = ({ change }: ChangedEntry): boolean => change.types.includes('ENTRY_HAS_HARDLINKS')

/** Numbers of links, by inodes. */
type LinkCounts = ReadonlyMap<number | bigint, number>

async function readCounts(files: PlacedChange[], { directories, root, signal }: Options): Promise<LinkCounts> {
  const byDirectory = Map.groupBy(files, ({ path }) => path.slice(0, path.lastIndexOf('/')))
  if (byDirectory.size > maxDirectories) throw new FullScanNeeded(reasons.hardLinks)
  const counts = new Map<number | bigint, number>()
  for (const [directory, changes] of byDirectory) {
    const names = changes.map(({ path }) => path.slice(directory.length + 1))
    for (const { id, nlink } of await lookUp(directories, root + directory, names, signal))
      if (typeof id === 'number' || typeof id === 'bigint') counts.set(id, nlink ?? 1)
  }
  return counts
}
