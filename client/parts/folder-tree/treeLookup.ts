import { levelAt, readRow, type Tree, type TreeEntry } from './treeModel.ts'

/** Entry of a row; undefined for other rows. */
export function entryAt(tree: Tree, index: number): TreeEntry | undefined {
  if (index < 0 || index >= tree.rows.length) return undefined
  const { node, is } = readRow(tree, index)
  return is === 'entry' ? tree.entries[node] : undefined
}

/** Entries between two rows, inclusive. */
export function entriesBetween(tree: Tree, one: number, other: number): TreeEntry[] {
  const from = Math.min(one, other)
  const rows = Array.from({ length: Math.abs(one - other) + 1 }, (_, place) => entryAt(tree, from + place))
  return rows.filter((entry) => entry !== undefined)
}

/** All entries with a row, except removed ones. */
export const entriesShown = (tree: Tree): TreeEntry[] =>
  tree.rows.length === 0 ? [] : entriesBetween(tree, 0, tree.rows.length - 1).filter(({ isRemoved }) => !isRemoved)

/** Row of the parent folder; -1 at the top level. */
export function rowAbove(tree: Tree, index: number): number {
  const level = levelAt(tree, index)
  let above = index - 1
  while (above >= 0 && levelAt(tree, above) >= level) above--
  return above
}

/** Next row from `from`, wrapping around, whose name starts with the text; -1 if none. */
export function rowStarting(tree: Tree, from: number, text: string): number {
  const { length } = tree.rows
  for (let step = 0; step < length; step++) {
    const index = (from + step) % length
    if (entryAt(tree, index)?.name.toLowerCase().startsWith(text.toLowerCase())) return index
  }
  return -1
}

/** Row of the file or folder with this name at the top level; -1 if none. */
export function rowNamed(tree: Tree, name: string): number {
  const isIt = (index: number) => levelAt(tree, index) === 1 && entryAt(tree, index)?.name === name
  for (let index = tree.rows.length - 1; index >= 0; index--) if (isIt(index)) return index
  return -1
}
