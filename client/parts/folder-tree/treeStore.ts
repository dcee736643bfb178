import { type PartOfFolder, partsOfFolder } from '#events/browse.ts'
import { addPage, childrenOf, newTree, readRow, replaceList, type Tree, type TreePage } from './treeModel.ts'
import { readContents, readPage, type TreeAsked } from './treePages.ts'

/**
 * The tree below a folder, and the reading of what is seen of it. Lists are read when a row of theirs comes into sight; when
 * something changed they are read again as far as they were, and old rows stay meanwhile.
 */
export type TreeStore = {
  readonly path: string
  readonly tree: Tree
  asked: TreeAsked
  /** Counts what changed, and how often all was asked for anew. */
  version: number
  wanted: number
  /** Why rows that are shown could not be read again. */
  outdated: Error | undefined
  readonly readings: Map<string, AbortController>
  readonly listeners: Set<() => void>
}

export const newTreeStore = (path: string, asked: TreeAsked): TreeStore => ({
  path,
  tree: newTree(),
  asked,
  version: 0,
  wanted: 1,
  outdated: undefined,
  readings: new Map(),
  listeners: new Set(),
})

/** Says that the tree is another than it was. */
export function changed(store: TreeStore): void {
  store.version += 1
  for (const tell of store.listeners) tell()
}

/** What was read is no longer as it was, or something else is asked for. */
export function askAnew(store: TreeStore, asked: TreeAsked): void {
  for (const reading of store.readings.values()) reading.abort()
  store.readings.clear()
  Object.assign(store, { asked, wanted: store.wanted + 1, outdated: undefined })
  changed(store)
}

/** Reads whatever of these rows is not there yet, or not as it was asked for last. */
export function see(store: TreeStore, indexes: number[]): void {
  const { tree, wanted } = store
  for (const index of indexes.filter((index) => index < tree.rows.length)) {
    const { node, is } = readRow(tree, index)
    const folder = is === 'entry' ? (tree.parents[node] as number) : node
    const isMissing = (part: PartOfFolder) =>
      childrenOf(tree, folder, part).readFor < wanted && !store.readings.has(readingKey(folder, part))
    const [first, second] = partsOfFolder.filter(isMissing)
    if (first && second) readBoth(store, folder)
    else if (first) void read(store, folder, first)
  }
}

const readingKey = (node: number, part: PartOfFolder) => `${node} ${part}`

/** Reads both lists of a folder, at first or anew; how they begin is asked for together. */
function readBoth(store: TreeStore, node: number): void {
  const reading = new AbortController()
  const contents = readContents(store.asked, pathOf(store, node), reading.signal)
  for (const part of partsOfFolder) void read(store, node, part, { reading, first: contents[part] })
}

/** A reading that is shared, and the first page that it gives of a list. */
type Shared = { reading: AbortController; first: Promise<TreePage> }

/** Reads a list: at first, on from its end, once more after a failure, or anew. */
export async function read(store: TreeStore, node: number, part: PartOfFolder, shared?: Shared): Promise<void> {
  const { tree, wanted, readings } = store
  const key = readingKey(node, part)
  if (readings.has(key)) return
  const reading = shared?.reading ?? new AbortController()
  readings.set(key, reading)
  const children = childrenOf(tree, node, part)
  const isAgain = children.readFor > 0 && children.readFor < wanted
  if (!isAgain && children.state !== 'loading') {
    children.state = 'loading'
    changed(store)
  }
  const { page, error } = await pageOf(store, { node, part, isAgain }, reading.signal, shared?.first)
  if (reading.signal.aborted) return
  readings.delete(key)
  if (page) (isAgain ? replaceList : addPage)(tree, node, part, page, wanted)
  else {
    children.readFor = wanted
    if (isAgain) store.outdated = error
    else children.state = 'failed'
  }
  changed(store)
}

const pathOf = ({ tree, path }: TreeStore, node: number): string => tree.entries[node]?.path ?? path

type List = { node: number; part: PartOfFolder; isAgain: boolean }

async function pageOf(store: TreeStore, list: List, signal: AbortSignal, first?: Promise<TreePage>) {
  const { tree, asked } = store
  const { node, part, isAgain } = list
  const place = { part, path: pathOf(store, node) }
  const { nodes, next } = childrenOf(tree, node, part)
  try {
    const page = await (first ?? readPage(asked, place, isAgain ? null : next, signal))
    return { page: isAgain ? await readOn(asked, place, page, nodes.length, signal) : page }
  } catch (error) {
    return { error: error as Error }
  }
}

/** The pages after the first, as far as the list was read before. */
async function readOn(
  asked: TreeAsked,
  place: { path: string; part: PartOfFolder },
  first: TreePage,
  loaded: number,
  signal: AbortSignal,
): Promise<TreePage> {
  let whole = first
  while (whole.next !== null && whole.entries.length < loaded) {
    const page = await readPage(asked, place, whole.next, signal)
    whole = { ...page, entries: [...whole.entries, ...page.entries] }
  }
  return whole
}
