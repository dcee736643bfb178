import type { Directories } from '../listing/directories.ts'
import { lookUp } from '../listing/lookUp.ts'
import type { Baseline } from '../baseline.ts'
import { isAdded, type PlacedChange } from './change.ts'
import { FullScanNeeded, reasons } from './fullScan.ts'

type Options = { olderAt: number; directories: Directories; root: string; signal: AbortSignal }

/** Directories that are looked up at most. With more, a full scan takes no longer. */
const maxDirectories = 500

/** Numbers of links of files that have several, by their inodes. */
export type LinkCounts = ReadonlyMap<number | bigint, number>

export type CountedLinks = { counts: LinkCounts; links: Baseline['links'] }

/**
 * Counts the links of entries that have several. A changelist may name one path of a file or all of them: throws `FullScanNeeded`
 * where paths changed that `changes` does not name. `known` is what the baseline says of links; that of the next one is returned.
 */
export async function countLinks(
  entries: readonly PlacedChange[],
  changes: readonly PlacedChange[],
  known: Baseline['links'],
  options: Options,
): Promise<CountedLinks> {
  const linked = entries.filter(({ types }) => types.includes('ENTRY_HAS_HARDLINKS'))
  if (linked.length === 0) return { counts: new Map(), links: known }
  const named = Map.groupBy(changes, ({ lin }) => lin)
  const counts = new Map(linked.map(({ lin }) => [lin, named.get(lin)?.length ?? 1]))
  if (known === 'each' || namesEachLink([...named.values()])) return { counts, links: 'each' }
  // New links are always named. If there were no links before, a file had at most one other path.
  const isWhole = (lin: number | bigint) =>
    known === 'none' && named.get(lin)?.some((change) => !isAdded(change) || change.created > options.olderAt)
  const unsure = new Map(linked.flatMap((change) => (isWhole(change.lin) ? [] : [[change.lin, change] as const])))
  const read = await readCounts([...unsure.values()], options)
  for (const lin of unsure.keys())
    if ((read.get(lin) ?? Infinity) > (counts.get(lin) ?? 0)) throw new FullScanNeeded(reasons.hardLinks)
  return { counts, links: undefined }
}

/** A cluster that names two paths of a file, neither of which is new, names all paths of all files. */
const namesEachLink = (named: PlacedChange[][]): boolean =>
  named.some((changes) => changes.length > 1 && changes.filter((change) => !isAdded(change)).length > 1)

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
