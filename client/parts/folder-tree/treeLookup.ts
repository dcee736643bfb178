import { levelAt, readRow, type Tree, type TreeEntry } from './treeModel.ts'

/** The entry of a row; nothing where none is shown there. */
export function entryAt(tree: Tree, index: number): TreeEntry | undefined {
  if (index < 0 || index >= tree.rows.length) return undefined
  const { node, is } = readRow(tree, index)
  return is === 'entry' ? tree.entries[node] : undefined
}

/** The entries from one row to another, both included. */
export function entriesBetween(tree: Tree, one: number, other: number): TreeEntry[] {
  const from = Math.min(one, other)
  const rows = Array.from({ length: Math.abs(one - other) + 1 }, (_, place) => entryAt(tree, from + place))
  return rows.filter((entry) => entry !== undefined)
}

/** All entries that have a row, except those that are gone. */
export const entriesShown = (tree: Tree): TreeEntry[] =>
  tree.rows.length === 0 ? [] : entriesBetween(tree, 0, tree.rows.length - 1).filter(({ isRemoved }) => !isRemoved)

/** The row of the folder that a row is in; -1 at the highest level. */
export function rowAbove(tree: Tree, index: number): number {
  const level = levelAt(tree, index)
  let above = index - 1
  while (above >= 0 && levelAt(tree, above) >= level) above--
  return above
}

/** The next row from one on, round to the first, whose name begins so; -1 when there is none. */
export function rowStarting(tree: Tree, from: number, text: string): number {
  const { length } = tree.rows
  for (let step = 0; step < length; step++) {
    const index = (from + step) % length
    if (entryAt(tree, index)?.name.toLowerCase().startsWith(text.toLowerCase())) return index
  }
  return -1
}

/** The row of the file, or of the folder, with a name directly in the folder of the tree; -1 when it has none. */
export function rowNamed(tree: Tree, name: string): number {
  const isIt = (index: number) => levelAt(tree, index) === 1 && entryAt(tree, index)?.name === name
  for (let index = tree.rows.length - 1; index >= 0; index--) if (isIt(index)) return index
  return -1
}

/** The node of an entry, where it was read and is still there; nothing else. */
export function findNode(
  tree: Tree,
  { path, isDirectory }: { path: string; isDirectory: boolean },
): number | undefined {
  const isIt = (entry: TreeEntry | undefined) => entry?.path === path && entry.isDirectory === isDirectory
  const found = tree.entries.findLastIndex(isIt)
  return found < 0 ? undefined : found
}
