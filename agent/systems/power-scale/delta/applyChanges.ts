import type { GoneEntry } from '../../system.ts'
import { isAdded, isFolder, isGone, type PlacedChange } from './change.ts'
import type { IgnoreRules } from './rules.ts'

/** An entry of the new tree. A known one keeps attributes that a changelist does not have. */
export type ChangedEntry = { change: PlacedChange; isKnown: boolean }

export type AppliedChanges = {
  entries: ChangedEntry[]
  gone: GoneEntry[]
  /** Directories whose contents are not known, with all below them. No other is below one of these. */
  unlisted: string[]
}

type Options = IgnoreRules & {
  /** Time of the older snapshot, in seconds UTC. */
  olderAt: number
}

/**
 * Applies all entries of a changelist at once. Old paths are those of the old tree and new paths those of the new tree, so that their
 * order makes no difference.
 */
export function applyChanges(changes: readonly PlacedChange[], options: Options): AppliedChanges {
  const removed = changes.filter(isGone)
  const live = [...new Map(changes.filter((each) => !isGone(each)).map((each) => [each.path, each])).values()]
  const moves = pairMoves(removed, live)
  const unlisted = topmost(live.filter((each) => isUnlisted(each, moves.origins.get(each), options)).map(pathOf))
  const isListedAgain = newBelow(unlisted)
  /** Path of the new half of a move, if the entry and all below it are known. */
  const targetOf = (change: PlacedChange): string | undefined => {
    const target = moves.targets.get(change)
    if (!target || options.isIgnored(target.path) || isListedAgain(target.path, true)) return undefined
    return target.path
  }
  const gone = new Map<string, string | undefined>()
  for (const change of removed) if (!options.isIgnored(change.path)) gone.set(change.path, targetOf(change))
  const entries = live
    .filter(({ path }) => !options.isIgnored(path) && !isListedAgain(path, false))
    .map((change) => ({ change, isKnown: isKnown(change, moves.origins.get(change), targetOf) }))
  return { entries, gone: withoutRepeated(gone), unlisted }
}

type Moves = {
  /** New half of a move by its old half, and the old one by the new one. */
  targets: Map<PlacedChange, PlacedChange>
  origins: Map<PlacedChange, PlacedChange>
}

/** A move has two entries with one inode. An inode with hard links may have several pairs, whose halves are alike. */
function pairMoves(removed: readonly PlacedChange[], live: readonly PlacedChange[]): Moves {
  const byLin = Map.groupBy(removed, ({ lin }) => lin)
  const moves: Moves = { targets: new Map(), origins: new Map() }
  for (const change of live) {
    const origin = isAdded(change) ? byLin.get(change.lin)?.pop() : undefined
    if (!origin) continue
    moves.targets.set(origin, change)
    moves.origins.set(change, origin)
  }
  return moves
}

/**
 * True if an added directory has contents without entries: it was moved from outside the storage, or from a path that is left out, or other
 * entries of it are left out at its new place. One that is as old as the snapshot may be new or moved.
 */
function isUnlisted(change: PlacedChange, origin: PlacedChange | undefined, options: Options): boolean {
  if (!isFolder(change) || !isAdded(change) || options.isIgnored(change.path)) return false
  if (!origin) return change.created <= options.olderAt || change.types.includes('ENTRY_PATH_CHANGED')
  return options.isIgnored(origin.path) || options.mayChangeBelow(origin.path, change.path)
}

function isKnown(
  change: PlacedChange,
  origin: PlacedChange | undefined,
  targetOf: (change: PlacedChange) => string | undefined,
): boolean {
  return origin ? targetOf(origin) === change.path : !isAdded(change)
}

const pathOf = ({ path }: PlacedChange): string => path

/** Paths that are not below another one. */
function topmost(paths: readonly string[]): string[] {
  const isBelow = newBelow(paths)
  return paths.filter((path) => !isBelow(path, false))
}

/** Tells whether a path is below one of the folders, or is one of them if these count. */
function newBelow(folders: readonly string[]): (path: string, isSelf: boolean) => boolean {
  const all = new Set(folders)
  return (path, isSelf) => {
    if (all.size === 0) return false
    if (isSelf && all.has(path)) return true
    return ancestorsOf(path).some((each) => all.has(each))
  }
}

/** Folders above a path, the nearest first: of '/a/b/c', '/a/b' and '/a'. */
function ancestorsOf(path: string): string[] {
  const ancestors: string[] = []
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) ancestors.push(path.slice(0, at))
  return ancestors
}

/** Leaves out what is removed together with the folder that it was in. */
function withoutRepeated(gone: ReadonlyMap<string, string | undefined>): GoneEntry[] {
  const isRepeated = (path: string): boolean => {
    const nearest = ancestorsOf(path).find((each) => gone.has(each))
    return nearest !== undefined && gone.get(nearest) === undefined
  }
  return [...gone].flatMap(([path, movedTo]) =>
    movedTo === undefined && isRepeated(path) ? [] : [{ path, ...(movedTo !== undefined && { movedTo }) }],
  )
}
