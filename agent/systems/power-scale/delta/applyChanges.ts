import type { GoneEntry } from '../../system.ts'
import {
  type ChangeRecords,
  isAdded,
  isFolder,
  isGone,
  type PlacedChange,
  readStored,
  type StoredChange,
  storedChange,
} from './change.ts'
import { FullScanNeeded, reasons } from './fullScan.ts'
import type { IgnoreRules } from './rules.ts'
import { newSortedRecords, type SortedRecords, type SpillFile, visitInTurns } from '../../sortedRecords.ts'

/** An entry of the new tree. A known one keeps attributes that a changelist does not have. */
export type ChangedEntry = {
  change: PlacedChange
  isKnown: boolean
  /** Number of paths of its inode in the changelist. */
  named: number
  /** One of these paths is old, or the inode is new. */
  isOldNamed: boolean
}

export type AppliedChanges = {
  entries: () => Iterable<ChangedEntry>
  gone: () => Iterable<GoneEntry>
  /** Directories whose contents are not known, with all below them. No other is below one of these. */
  unlisted: string[]
  /** The cluster names two paths of a file, neither of which is new: then it names all paths of all files. */
  namesEachLink: boolean
}

type Options = IgnoreRules & {
  /** Time of the older snapshot, in seconds UTC. */
  olderAt: number
  spill: SpillFile
  signal: AbortSignal
}

type LiveRecord = { change: StoredChange; origin: string | null; named: number; isOldNamed: boolean }
type GoneRecord = readonly [path: string, target: string | null]

/** Changes of one inode: each hard link has its own. */
const maxNamed = 100_000
/** Directories to list again that are kept in memory. */
const maxUnlisted = 100_000

/**
 * Applies all entries of a changelist at once. Old paths are those of the old tree and new paths those of the new tree, so that their
 * order makes no difference. Throws `FullScanNeeded` where too many directories would have to be listed.
 */
export async function applyChanges(changes: ChangeRecords, options: Options): Promise<AppliedChanges> {
  const live = newSortedRecords<LiveRecord>(options.spill)
  const gone = newSortedRecords<GoneRecord>(options.spill)
  let unlisted: string[] = []
  let namesEachLink = false
  const addMoves = (group: PlacedChange[]) => {
    const { removed, present } = pairMoves(group)
    const isOldNamed = present.some(({ change }) => !isAdded(change) || change.created > options.olderAt)
    namesEachLink ||= present.filter(({ change }) => !isAdded(change)).length > 1
    for (const { change, origin = null } of present) {
      const record = { change: storedChange(change), origin, named: present.length, isOldNamed }
      live.add(pathKey(change.path), record)
      if (isUnlisted(change, origin, options)) unlisted.push(change.path)
    }
    for (const [path, target = null] of removed) gone.add(pathKey(path), [path, target])
    if (unlisted.length <= maxUnlisted) return
    unlisted = topmost(unlisted)
    if (unlisted.length > maxUnlisted / 2) throw new FullScanNeeded(reasons.tooMany)
  }
  await visitInTurns(groupsByLin(changes.read()), addMoves, options.signal)
  unlisted = topmost(unlisted)
  const isListedAgain = newBelow(unlisted)
  return {
    entries: () => entriesOf(live, options, isListedAgain),
    gone: () => goneOf(gone, options, isListedAgain),
    unlisted,
    namesEachLink,
  }
}

/** Key by which a folder is directly followed by all below it. */
const pathKey = (path: string): string => JSON.stringify(path).slice(1, -1).replaceAll('/', '\t')

function* groupsByLin(changes: Iterable<PlacedChange>): Generator<PlacedChange[]> {
  let group: PlacedChange[] = []
  for (const change of changes) {
    if (group[0] && group[0].lin !== change.lin) {
      yield group
      group = []
    }
    group.push(change)
    if (group.length > maxNamed) throw new FullScanNeeded(reasons.tooMany)
  }
  if (group.length > 0) yield group
}

type PairedChanges = {
  /** Old paths, with the new ones of those that moved. */
  removed: Map<string, string | undefined>
  present: { change: PlacedChange; origin: string | undefined }[]
}

/** A move has two entries with one inode. An inode with hard links may have several pairs, whose halves are alike. */
function pairMoves(group: readonly PlacedChange[]): PairedChanges {
  const removed = new Map<string, string | undefined>()
  for (const change of group) if (isGone(change)) removed.set(change.path, undefined)
  const origins = [...removed.keys()]
  const live = new Map(group.filter((change) => !isGone(change)).map((change) => [change.path, change]))
  const present = [...live.values()].map((change) => {
    const origin = isAdded(change) ? origins.pop() : undefined
    if (origin !== undefined) removed.set(origin, change.path)
    return { change, origin }
  })
  return { removed, present }
}

/**
 * True if an added directory has contents without entries: it was moved from outside the storage, or from a path that is left out, or other
 * entries of it are left out at its new place. One that is as old as the snapshot may be new or moved.
 */
function isUnlisted(change: PlacedChange, origin: string | null, options: Options): boolean {
  if (!isFolder(change) || !isAdded(change) || options.isIgnored(change.path)) return false
  if (origin === null) return change.created <= options.olderAt || change.types.includes('ENTRY_PATH_CHANGED')
  return options.isIgnored(origin) || options.mayChangeBelow(origin, change.path)
}

/** Tells whether a path is below a folder that is listed again, or is one if these count. */
type IsListedAgain = (path: string, isSelf: boolean) => boolean

function* entriesOf(
  live: SortedRecords<LiveRecord>,
  { isIgnored }: IgnoreRules,
  isListedAgain: IsListedAgain,
): Generator<ChangedEntry> {
  let last: string | undefined
  for (const { change: stored, origin, ...named } of live.read()) {
    const change = readStored(stored)
    const { path } = change
    if (path === last || isIgnored(path) || isListedAgain(path, false)) continue
    last = path
    yield { change, isKnown: origin === null ? !isAdded(change) : !isListedAgain(path, true), ...named }
  }
}

/** Leaves out what is removed together with the folder that it was in. Moves are only those of entries that are known with all below. */
function* goneOf(
  gone: SortedRecords<GoneRecord>,
  { isIgnored }: IgnoreRules,
  isListedAgain: IsListedAgain,
): Generator<GoneEntry> {
  const above: GoneEntry[] = []
  let last: string | undefined
  // Of one path, a record with a target is before one without.
  for (const [path, target] of gone.read()) {
    if (path === last || isIgnored(path)) continue
    last = path
    const isMoved = target !== null && !isIgnored(target) && !isListedAgain(target, true)
    const entry = { path, ...(isMoved && { movedTo: target }) }
    while (above.length > 0 && !path.startsWith(`${above.at(-1)?.path}/`)) above.pop()
    const nearest = above.at(-1)
    above.push(entry)
    if (isMoved || !nearest || nearest.movedTo !== undefined) yield entry
  }
}

/** Paths that are not below another one. */
function topmost(paths: readonly string[]): string[] {
  const isBelow = newBelow(paths)
  return paths.filter((path) => !isBelow(path, false))
}

function newBelow(folders: readonly string[]): IsListedAgain {
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
