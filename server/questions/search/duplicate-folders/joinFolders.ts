import { maxNamedFolders } from '#events/search/duplicateFolders.ts'

type Folder = { volumeId: number; path: string }

/** Copies that are in the same folders. Bytes; `folders` has some of them if there are more than can be named. */
export type CopiesInFolders = {
  folders: Folder[]
  folderCount: number
  files: number
  size: number
  reclaimable: number
  billed: number
}

/** Copies in folders that differ in their first parts only: the same subfolders of other folders. */
type Tree = Omit<CopiesInFolders, 'folders'> & { roots: Folder[]; below: string[] }

/**
 * Joins copies of whole trees: files in `/a/x/1` and `/b/x/1`, and in `/a/x/2` and `/b/x/2`, are in `/a/x` and `/b/x`. Folders are
 * as deep as all of their copies allow.
 */
export function joinFolders(combinations: readonly CopiesInFolders[]): CopiesInFolders[] {
  const trees = new Map<string, Tree>()
  for (const { folders, ...copies } of combinations) {
    const { roots, below } =
      copies.folderCount > maxNamedFolders ? { roots: folders, below: [] } : splitCommon(folders.toSorted(byPlace))
    const key = JSON.stringify([roots.map(({ volumeId, path }) => [volumeId, partsOf(path)]), copies.folderCount])
    const tree = trees.get(key)
    trees.set(key, tree ? joined(tree, { ...copies, roots, below }) : { ...copies, roots, below })
  }
  return [...trees.values()].map(({ roots, below, ...copies }) => ({
    ...copies,
    folders: roots.map(({ volumeId, path }) => ({ volumeId, path: pathOf([...partsOf(path), ...below]) })),
  }))
}

const byPlace = (one: Folder, other: Folder): number =>
  one.volumeId - other.volumeId || (one.path < other.path ? -1 : one.path > other.path ? 1 : 0)

/** Splits folders before the parts that all of them end with. A single folder is not split. */
function splitCommon(folders: Folder[]): Pick<Tree, 'roots' | 'below'> {
  const parts = folders.map(({ path }) => partsOf(path))
  const [first = []] = parts
  let common = 0
  const isCommon = () => parts.every((part) => part.length > common && part.at(-1 - common) === first.at(-1 - common))
  while (folders.length > 1 && isCommon()) common += 1
  const roots = folders.map(({ volumeId }, at) => ({
    volumeId,
    path: pathOf((parts[at] ?? []).slice(0, (parts[at]?.length ?? 0) - common)),
  }))
  return { roots: roots.toSorted(byPlace), below: first.slice(first.length - common) }
}

function joined(tree: Tree, other: Tree): Tree {
  const end = tree.below.findIndex((part, at) => part !== other.below[at])
  return {
    roots: tree.roots,
    below: end === -1 ? tree.below : tree.below.slice(0, end),
    folderCount: tree.folderCount,
    files: tree.files + other.files,
    size: tree.size + other.size,
    reclaimable: tree.reclaimable + other.reclaimable,
    billed: tree.billed + other.billed,
  }
}

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '')
const pathOf = (parts: readonly string[]): string => `/${parts.join('/')}`
