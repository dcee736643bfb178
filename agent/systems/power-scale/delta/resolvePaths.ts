import type { Directories } from '../listing/directories.ts'
import { search } from '../listing/lookUp.ts'
import { type Change, isGone, type PlacedChange } from './change.ts'
import { FullScanNeeded, reasons } from './fullScan.ts'

type Options = { directories: Directories; root: string; signal: AbortSignal }

/**
 * Finds entries that the cluster did not give a path, by listing the directories that they are in. Throws `FullScanNeeded` for those
 * that can't be found.
 */
export async function resolvePaths(changes: readonly Change[], options: Options): Promise<PlacedChange[]> {
  const live = changes.filter((change) => !isGone(change))
  if (new Set(live.filter(({ path }) => path === '').map(({ lin }) => lin)).size > 1)
    throw new FullScanNeeded(reasons.noPath)
  const pathOfLin = new Map(live.flatMap(({ lin, path }) => (path === undefined ? [] : [[lin, path] as const])))
  const placed = changes.filter((change): change is PlacedChange => change.path !== undefined)
  let lost = changes.filter(({ path }) => path === undefined)
  while (lost.length > 0) {
    const [ready, others] = partition(lost, (change) => !isGone(change) && pathOfLin.has(change.parentLin))
    if (ready.length === 0) throw new FullScanNeeded(reasons.noPath)
    for (const [parentLin, children] of Map.groupBy(ready, (change) => change.parentLin)) {
      const found = await findChildren(pathOfLin.get(parentLin) ?? '', children, options)
      for (const change of found) {
        placed.push(change)
        pathOfLin.set(change.lin, change.path)
      }
    }
    lost = others
  }
  return placed
}

/** Finds entries of one directory by their inodes. */
async function findChildren(parent: string, children: Change[], options: Options): Promise<PlacedChange[]> {
  const { directories, root, signal } = options
  const missing = new Set(children.map(({ lin }) => String(lin)))
  const isLast = ({ id }: { id?: unknown }) => missing.delete(String(id)) && missing.size === 0
  const listed = await search(directories, root + parent, isLast, signal)
  const names = new Map(listed.map(({ id, name }) => [String(id), name]))
  return children.map((change) => {
    const name = names.get(String(change.lin))
    if (name === undefined) throw new FullScanNeeded(reasons.noPath)
    return { ...change, path: `${parent}/${name}` }
  })
}

function partition<T>(items: T[], accepts: (item: T) => boolean): [T[], T[]] {
  return [items.filter(accepts), items.filter((item) => !accepts(item))]
}
