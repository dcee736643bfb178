import {
  addPage,
  childrenOf,
  newTree,
  type Part,
  parts,
  readRow,
  replaceList,
  type Tree,
  type TreePage,
} from './treeModel.ts'
import { pageSize, readPage, type TreeAsked } from './treePages.ts'

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
    for (const part of parts) if (childrenOf(tree, folder, part).readFor < wanted) void read(store, folder, part)
  }
}

/** Reads a list: at first, on from its end, once more after a failure, or anew. */
export async function read(store: TreeStore, node: number, part: Part): Promise<void> {
  const { tree, wanted, readings } = store
  const key = `${node} ${part}`
  if (readings.has(key)) return
  const reading = new AbortController()
  readings.set(key, reading)
  const children = childrenOf(tree, node, part)
  const isAgain = children.readFor > 0 && children.readFor < wanted
  if (!isAgain && children.state !== 'loading') {
    children.state = 'loading'
    changed(store)
  }
  const { page, error } = await pageOf(store, node, part, isAgain, reading.signal)
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

async function pageOf(store: TreeStore, node: number, part: Part, isAgain: boolean, signal: AbortSignal) {
  const { tree, path, asked } = store
  const place = { part, path: tree.entries[node]?.path ?? path }
  const { nodes, next } = childrenOf(tree, node, part)
  try {
    const page = await readPage(asked, place, isAgain ? null : next, signal)
    return { page: isAgain ? await readOn(asked, place, page, nodes.length, signal) : page }
  } catch (error) {
    return { error: error as Error }
  }
}

/** The pages after the first, as far as the list was read before. */
async function readOn(
  asked: TreeAsked,
  place: { path: string; part: Part },
  first: TreePage,
  loaded: number,
  signal: AbortSignal,
): Promise<TreePage> {
  let whole = first
  while (whole.next !== null && whole.entries.length < Math.ceil(loaded / pageSize) * pageSize) {
    const page = await readPage(asked, place, whole.next, signal)
    whole = { ...page, entries: [...whole.entries, ...page.entries] }
  }
  return whole
}
