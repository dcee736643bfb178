import { type ComparedEntry, type PartOfFolder, partsOfFolder } from '#events/folders/browse.ts'
import type { EntrySummary } from '#events/entries.ts'

/** Row codes from top to bottom in one typed array, which moves a million rows in well under a frame. */
type Rows = { codes: Int32Array; length: number }

const noRows = (): Rows => ({ codes: new Int32Array(64), length: 0 })

/** Replaces a range of rows. */
function replaceRows(rows: Rows, at: number, removed: number, added: ArrayLike<number>): void {
  const length = rows.length - removed + added.length
  if (length > rows.codes.length) {
    const larger = new Int32Array(Math.max(length, rows.codes.length * 2))
    larger.set(rows.codes.subarray(0, rows.length))
    rows.codes = larger
  }
  rows.codes.copyWithin(at + added.length, at + removed, rows.length)
  rows.codes.set(added, at)
  rows.length = length
}

/** Index of a row; -1 if missing. */
export const placeOf = ({ codes, length }: Rows, code: number): number => codes.subarray(0, length).indexOf(code)

/** An entry of the tree. With a previous date it includes its change. */
export type TreeEntry = EntrySummary & Partial<Pick<ComparedEntry, 'delta' | 'isCreated' | 'isRemoved'>>

/** Cursor or page number for the rest of a list; null at the end. */
export type Next = string | number | null
export type TreePage = { entries: TreeEntry[]; total: number; next: Next }

/**
 * `more`: there is another page. `whole`: all pages are loaded. `readGeneration` is the store's generation of the data.
 */
type Children = {
  nodes: number[]
  total: number
  next: Next
  state: 'loading' | 'failed' | 'more' | 'whole'
  /** Largest absolute change among loaded nodes, in bytes. */
  largestChange: number
  readGeneration: number
}
type Branch = Record<PartOfFolder, Children>

/**
 * A folder with its expanded descendants, as columns indexed by node. Node 0 is the folder itself and has no row. A row
 * is a node number, or a negative code for the last row of a list: loading, error, more or empty. The cost of expanding
 * and collapsing is proportional to the rows added or removed, plus moving the rows below.
 */
export type Tree = {
  rows: Rows
  entries: (TreeEntry | undefined)[]
  parents: number[]
  levels: number[]
  /** Position in its list, from 0. */
  places: number[]
  isOpen: boolean[]
  branches: (Branch | undefined)[]
}

const unread = (): Children => ({
  nodes: [],
  total: 0,
  next: null,
  state: 'loading',
  largestChange: 0,
  readGeneration: 0,
})
const newBranch = (): Branch => ({ folders: unread(), files: unread() })
const codesPerNode = 3
const endOf = (node: number, part: PartOfFolder): number => -(node * codesPerNode + partsOfFolder.indexOf(part)) - 1
const emptyOf = (node: number): number => -(node * codesPerNode + 2) - 1

export function newTree(): Tree {
  const columns = { entries: [undefined], parents: [-1], levels: [0], places: [0], isOpen: [true] }
  const tree: Tree = { rows: noRows(), ...columns, branches: [newBranch()] }
  replaceRows(tree.rows, 0, 0, below(tree, 0))
  return tree
}

export const childrenOf = (tree: Tree, node: number, part: PartOfFolder): Children => branchOf(tree, node)[part]
const branchOf = (tree: Tree, node: number): Branch => (tree.branches[node] ??= newBranch())

/** Node and type of a row. */
export function readRow(tree: Tree, index: number): { node: number; is: 'entry' | PartOfFolder | 'empty' } {
  const code = tree.rows.codes[index] as number
  if (code >= 0) return { node: code, is: 'entry' }
  const kind = (-code - 1) % codesPerNode
  return { node: Math.floor((-code - 1) / codesPerNode), is: partsOfFolder[kind] ?? 'empty' }
}

/** Depth of a row, from 1. */
export function levelAt(tree: Tree, index: number): number {
  const { node, is } = readRow(tree, index)
  return (tree.levels[node] as number) + (is === 'entry' ? 0 : 1)
}

/** Row of a node; -1 while a parent folder is collapsed. */
export const rowOf = (tree: Tree, node: number): number => placeOf(tree.rows, node)

/** Size of a node's list and the node's position in it, from 1; -1 if unknown. */
export function ariaPosition(tree: Tree, node: number): { setSize: number; position: number } {
  const { folders, files } = branchOf(tree, tree.parents[node] as number)
  const isUnread = ({ readGeneration }: Children) => readGeneration === 0
  const place = (tree.places[node] as number) + 1
  const position = tree.entries[node]?.isDirectory ? place : isUnread(folders) ? -1 : folders.total + place
  return { setSize: isUnread(folders) || isUnread(files) ? -1 : folders.total + files.total, position }
}

/** Largest absolute change among the loaded siblings of a node, in bytes. */
export function largestChange(tree: Tree, node: number): number {
  const { folders, files } = branchOf(tree, tree.parents[node] as number)
  return Math.max(folders.largestChange, files.largestChange)
}

/** Expands the folder of a row. Its descendants keep their expanded state. */
export function openAt(tree: Tree, index: number): void {
  const { node, is } = readRow(tree, index)
  if (is !== 'entry' || tree.isOpen[node] || !tree.entries[node]?.isDirectory) return
  tree.isOpen[node] = true
  replaceRows(tree.rows, index + 1, 0, below(tree, node))
}

export function closeAt(tree: Tree, index: number): void {
  const { node, is } = readRow(tree, index)
  if (is !== 'entry' || !tree.isOpen[node]) return
  tree.isOpen[node] = false
  replaceRows(tree.rows, index + 1, spanAt(tree, index), [])
}

/** Number of descendant rows below a row. */
function spanAt(tree: Tree, index: number): number {
  const level = index < 0 ? 0 : levelAt(tree, index)
  let end = index + 1
  while (end < tree.rows.length && levelAt(tree, end) > level) end++
  return end - index - 1
}

/** Appends a page to a list. */
export function addPage(tree: Tree, node: number, part: PartOfFolder, page: TreePage, readGeneration: number): void {
  const children = childrenOf(tree, node, part)
  const added = page.entries.map((entry, place) => newNode(tree, node, entry, children.nodes.length + place))
  const end = placeOf(tree.rows, endOf(node, part))
  for (const child of added) children.nodes.push(child)
  updateList(children, page, readGeneration, children.largestChange)
  if (end < 0) return
  replaceRows(tree.rows, end, children.state === 'whole' ? 1 : 0, added)
  if (isEmpty(branchOf(tree, node))) redraw(tree, node)
}

/** Replaces a list with its reloaded version. Remaining entries keep their node and expanded state. */
export function replaceList(
  tree: Tree,
  node: number,
  part: PartOfFolder,
  page: TreePage,
  readGeneration: number,
): void {
  const children = childrenOf(tree, node, part)
  const known = new Map(children.nodes.map((child) => [keyOf(tree.entries[child] as TreeEntry), child]))
  children.nodes = page.entries.map((entry, place) => {
    const child = known.get(keyOf(entry)) ?? newNode(tree, node, entry, place)
    tree.entries[child] = entry
    tree.places[child] = place
    return child
  })
  updateList(children, page, readGeneration, 0)
  redraw(tree, node)
}

function updateList(
  children: Children,
  { entries, total, next }: TreePage,
  readGeneration: number,
  largestSoFar: number,
): void {
  const largestChange = entries.reduce((max, { delta }) => Math.max(max, Math.abs(delta ?? 0)), largestSoFar)
  Object.assign(children, { total, next, state: next === null ? 'whole' : 'more', largestChange, readGeneration })
}

/** A removed entry and a new one may share a name. */
const keyOf = ({ name, isRemoved = false }: TreeEntry) => `${isRemoved}/${name}`

function newNode(tree: Tree, parent: number, entry: TreeEntry, place: number): number {
  tree.parents.push(parent)
  tree.levels.push((tree.levels[parent] as number) + 1)
  tree.places.push(place)
  tree.isOpen.push(false)
  tree.branches.push(undefined)
  return tree.entries.push(entry) - 1
}

/** Updates the rows below a folder, if visible. */
function redraw(tree: Tree, node: number): void {
  const index = node === 0 ? -1 : rowOf(tree, node)
  if (!tree.isOpen[node] || (node !== 0 && index < 0)) return
  replaceRows(tree.rows, index + 1, spanAt(tree, index), below(tree, node))
}

function below(tree: Tree, node: number, codes: number[] = []): number[] {
  const branch = branchOf(tree, node)
  for (const part of partsOfFolder) {
    for (const child of branch[part].nodes) {
      codes.push(child)
      if (tree.isOpen[child]) below(tree, child, codes)
    }
    if (branch[part].state !== 'whole') codes.push(endOf(node, part))
  }
  if (isEmpty(branch)) codes.push(emptyOf(node))
  return codes
}

const isEmpty = (branch: Branch) =>
  partsOfFolder.every((part) => branch[part].nodes.length === 0 && branch[part].state === 'whole')
