import { counted } from '#events/contract/counted.ts'

/**
 * Changes of files in a folder, without its subfolders, by owner: from the rows of `live_changes` in a period, from `first` to `last`
 * (milliseconds UTC). `known` is the number of files that the folder had before: those of the last scan, and those created more than a day
 * ago. The path is as in `parent_path`: `/a/b/`.
 */
export type FolderChanges = Record<MassKind, number> & {
  path: string
  owner: string
  created: number
  known: number
  first: number
  last: number
}

/** Many files of a storage that changed in the same way. */
export type MassChange = {
  kind: MassKind
  files: number
  /** The deepest folder with most of them, relative to the storage: `/a/b`, or `/`. */
  path: string
  /** Owner of most of the files; '' if unknown. */
  owner: string
  /** True if about as many other files were created in the same folders. */
  isReplaced: boolean
  seconds: number
}

type MassKind = 'deleted' | 'renamed' | 'rewritten'

/**
 * Kinds of changes. A folder counts if at least `share` of its files changed: cleaning up or switching a branch changes some files of many
 * folders, an attack most files of each. For rewriting and renaming, the share is above the half that sidecar files have next to photos.
 */
const kinds: { kind: MassKind; share: number; did: string }[] = [
  { kind: 'deleted', share: 0.2, did: 'were deleted' },
  { kind: 'renamed', share: 0.6, did: 'were renamed to another extension' },
  { kind: 'rewritten', share: 0.6, did: 'were rewritten' },
]

/** Multiple of the limit above which the share doesn't matter: in a huge folder, an attack takes long to reach it. */
const anyShareFactor = 5

/** Part of the files that must be in the folder that is reported. */
const subtreeShare = 0.8

/** Folders that programs fill and empty again, and trash. */
const generated =
  /\/(node_modules|\.git|__pycache__|\.venv|venv|target|build|dist|\.?cache|te?mp|\.trash[^/]*|\$recycle\.bin|#recycle)\//i

/**
 * Returns the mass change of a period: at least `limit` files that were there before. Files that are new don't count, so unpacking, renders
 * and their cleanup don't count; neither do generated folders, and working copies in which Git itself wrote. Moved files that keep their
 * extension aren't changes.
 */
export function findMassChange(rows: readonly FolderChanges[], limit: number): MassChange | undefined {
  const workingCopies = workingCopiesIn(rows)
  const folders = rows.filter(
    ({ path }) => !generated.test(path) && !workingCopies.some((folder) => path.startsWith(folder)),
  )
  const found = kinds.flatMap(({ kind, share }) => {
    const changed = changedFiles(folders, kind)
    const mostly = changed.filter(({ files, known }) => files >= share * known)
    if (sumOf(mostly) >= limit) return [describe(kind, mostly)]
    return sumOf(changed) >= anyShareFactor * limit ? [describe(kind, changed)] : []
  })
  return found.toSorted((a, b) => b.files - a.files)[0]
}

/**
 * Folders in which Git wrote its own files. Git writes objects once, so if any of them was rewritten, renamed or deleted, it wasn't Git.
 */
function workingCopiesIn(rows: readonly FolderChanges[]): string[] {
  const folders = rows.filter(({ path }) => path.endsWith('/.git/')).map(({ path }) => path)
  const isForeign = (folder: string) =>
    rows.some((row) => row.path.startsWith(`${folder}objects/`) && row.deleted + row.renamed + row.rewritten > 0)
  return [...new Set(folders)].filter((folder) => !isForeign(folder)).map((folder) => folder.slice(0, -'.git/'.length))
}

type Changed = FolderChanges & { files: number; owners: Map<string, number> }

/** Folders with the number of their known files that changed. A file that is rewritten often counts up to the number of files. */
function changedFiles(rows: readonly FolderChanges[], kind: MassKind): Changed[] {
  return [...Map.groupBy(rows, ({ path }) => path).values()].flatMap(([first, ...others]) => {
    if (!first) return []
    const all = [first, ...others]
    const changes = all.reduce((sum, row) => sum + row[kind], 0)
    const created = all.reduce((sum, row) => sum + row.created, 0)
    const times = all.filter((row) => row[kind] > 0)
    const owners = new Map(times.map((row) => [row.owner, row[kind]]))
    const [from, to] = [Math.min(...times.map((row) => row.first)), Math.max(...times.map((row) => row.last))]
    const files = Math.min(changes, first.known)
    return files > 0 ? [{ ...first, created, first: from, last: to, files, owners }] : []
  })
}

const sumOf = (folders: readonly { files: number }[]): number => folders.reduce((sum, { files }) => sum + files, 0)

function describe(kind: MassKind, folders: readonly Changed[]): MassChange {
  const files = sumOf(folders)
  const owners = new Map<string, number>()
  for (const folder of folders)
    for (const [owner, count] of folder.owners) owners.set(owner, (owners.get(owner) ?? 0) + count)
  const [owner = ''] = [...owners].toSorted(([, a], [, b]) => b - a)[0] ?? []
  const created = folders.reduce((sum, folder) => sum + folder.created, 0)
  // Not by spread: there may be more folders than arguments are allowed.
  const first = folders.reduce((least, folder) => Math.min(least, folder.first), Infinity)
  const last = folders.reduce((most, folder) => Math.max(most, folder.last), 0)
  const path = smallestSubtree(folders)
  return {
    kind,
    files,
    path: path === '/' ? path : path.slice(0, -1),
    owner,
    isReplaced: kind === 'deleted' && created >= subtreeShare * files,
    seconds: Math.max(1, Math.round((last - first) / 1_000)),
  }
}

/** The deepest folder that has most of the changed files below it. */
function smallestSubtree(folders: readonly Changed[]): string {
  const enough = subtreeShare * sumOf(folders)
  let path = '/'
  for (;;) {
    const below = new Map<string, number>()
    for (const folder of folders) {
      const end = folder.path.startsWith(path) ? folder.path.indexOf('/', path.length) : -1
      if (end < 0) continue
      const child = folder.path.slice(0, end + 1)
      below.set(child, (below.get(child) ?? 0) + folder.files)
    }
    const next = [...below].find(([, files]) => files >= enough)
    if (!next) return path
    path = next[0]
  }
}

/** `2,310 files were deleted in 2 minutes in Films › /projects/arrival. Most of them belong to ana`, for a full stop. */
export function massText(storage: string, change: MassChange): string {
  const { path, owner, isReplaced, seconds } = change
  const others = isReplaced ? ', and about as many others were created next to them' : ''
  const whose = owner === '' ? '' : `. Most of them belong to ${owner}`
  return `${didText(change)} in ${timeText(seconds)} in ${storage} › ${path}${others}${whose}`
}

/** `2,310 files were deleted in Films` */
export const massSubject = (storage: string, change: MassChange): string => `${didText(change)} in ${storage}`

const didText = ({ kind, files }: MassChange): string =>
  `${counted(files, 'file')} ${kinds.find((one) => one.kind === kind)?.did}`

const timeText = (seconds: number): string => {
  if (seconds < 60) return counted(seconds, 'second')
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? counted(minutes, 'minute') : counted(Math.round(minutes / 60), 'hour')
}

/** First step for changes that can be ransomware; deleted files without new ones can't. */
export const massAdvice = ({ kind, isReplaced }: MassChange): string =>
  kind === 'deleted' && !isReplaced
    ? 'If no one meant to delete them, stop the program or user that does, and restore the files from a backup or snapshot.'
    : 'This can be ransomware: disconnect the computers that write to this folder first, and check some of the files before you restore them from a backup or snapshot.'
