import type { Directories } from '../listing/directories.ts'
import { search } from '../listing/lookUp.ts'
import { type Change, type ChangeRecords, isGone, type PlacedChange } from './change.ts'
import { FullScanNeeded, reasons } from './fullScan.ts'
import { visitInTurns } from '../../sortedRecords.ts'

type Options = { directories: Directories; root: string; signal: AbortSignal }
type LostChange = Change & { path: undefined }

/** Changes without a path that are looked up at most. With more, a full scan takes no longer. */
const maxLost = 100_000

/**
 * Separates changes that the cluster gave no path. Throws `FullScanNeeded` where there are too many, or where entries other than the
 * root have the path of the root.
 */
export function newPlacer(changes: ChangeRecords) {
  const lost: LostChange[] = []
  let root: Change['lin'] | undefined
  const isOther = ({ lin }: Change) => lin !== (root ??= lin)
  return {
    lost,
    add(change: Change): void {
      const { path } = change
      if (path === undefined) lost.push({ ...change, path })
      else changes.add({ ...change, path })
      if (lost.length > maxLost || (path === '' && !isGone(change) && isOther(change)))
        throw new FullScanNeeded(reasons.noPath)
    },
  }
}

/**
 * Adds entries that the cluster did not give a path, by listing the directories that they are in. Throws `FullScanNeeded` for those
 * that can't be found.
 */
export async function resolvePaths(lost: LostChange[], changes: ChangeRecords, options: Options): Promise<void> {
  if (lost.length === 0) return
  const parents = new Set(lost.map(({ parentLin }) => parentLin))
  const pathOfLin = new Map<Change['lin'], string>()
  const learn = (change: PlacedChange) => {
    if (parents.has(change.lin) && !isGone(change)) pathOfLin.set(change.lin, change.path)
  }
  await visitInTurns(changes.read(), learn, options.signal)
  while (lost.length > 0) {
    const [ready, others] = partition(lost, (change) => !isGone(change) && pathOfLin.has(change.parentLin))
    if (ready.length === 0) throw new FullScanNeeded(reasons.noPath)
    for (const [parentLin, children] of Map.groupBy(ready, (change) => change.parentLin)) {
      const found = await findChildren(pathOfLin.get(parentLin) ?? '', children, options)
      found.forEach(changes.add)
      found.forEach(learn)
    }
    lost = others
  }
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
