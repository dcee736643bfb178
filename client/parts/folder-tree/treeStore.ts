import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { useSnapshot } from 'valtio'
import { type PartOfFolder, partsOfFolder } from '#events/folders/browse.ts'
import { versions } from '#client/app/live/versions.state.ts'
import { addPage, childrenOf, newTree, readRow, replaceList, type Tree, type TreePage } from './treeModel.ts'
import { readContents, readPage, type TreeQuery } from './treePages.ts'

/**
 * The tree of a folder with lazy loading. A list is loaded when one of its rows becomes visible. After a change it is
 * reloaded up to the same length, and old rows stay until then.
 */
export type TreeStore = {
  readonly path: string
  readonly tree: Tree
  query: TreeQuery
  /** `version` counts changes of the tree, `generation` counts reloads. */
  version: number
  generation: number
  /** Error of the last reload; the rows shown may be out of date. */
  outdated: Error | undefined
  readonly readings: Map<string, AbortController>
  /** Something changed during a request: everything is read again after it. */
  isBehind: boolean
  readonly listeners: Set<() => void>
}

const newTreeStore = (path: string, query: TreeQuery): TreeStore => ({
  path,
  tree: newTree(),
  query,
  version: 0,
  generation: 1,
  outdated: undefined,
  readings: new Map(),
  isBehind: false,
  listeners: new Set(),
})

/** Notifies subscribers of a change. */
export function notify(store: TreeStore): void {
  store.version += 1
  for (const listener of store.listeners) listener()
}

/** Reloads everything after the data or the query has changed. */
export function reload(store: TreeStore, query: TreeQuery): void {
  for (const reading of store.readings.values()) reading.abort()
  store.readings.clear()
  Object.assign(store, { query, generation: store.generation + 1, outdated: undefined, isBehind: false })
  notify(store)
}

/** Reloads everything after a change of live storages. Those arrive each second, and must not abort requests that take longer. */
function follow(store: TreeStore): void {
  if (store.readings.size > 0) store.isBehind = true
  else reload(store, store.query)
}

/** Loads the lists of these rows that are missing or out of date, and the next page of lists whose end is among them. */
export function loadVisible(store: TreeStore, indexes: number[]): void {
  const { tree, generation } = store
  for (const index of indexes.filter((index) => index < tree.rows.length)) {
    const { node, is } = readRow(tree, index)
    const folder = is === 'entry' ? (tree.parents[node] as number) : node
    const isMissing = (part: PartOfFolder) =>
      childrenOf(tree, folder, part).readGeneration < generation && !store.readings.has(readingKey(folder, part))
    const [first, second] = partsOfFolder.filter(isMissing)
    if (first && second) readBoth(store, folder)
    else if (first) void read(store, folder, first)
    else if (is !== 'entry' && is !== 'empty' && childrenOf(tree, node, is).state === 'more') void read(store, node, is)
  }
}

const readingKey = (node: number, part: PartOfFolder) => `${node} ${part}`

/** Loads or reloads both lists of a folder; one request returns both first pages. */
function readBoth(store: TreeStore, node: number): void {
  const reading = new AbortController()
  const contents = readContents(store.query, pathOf(store, node), reading.signal)
  for (const part of partsOfFolder) void read(store, node, part, { reading, first: contents[part] })
}

/** A request for both lists of a folder, with the first page of one of them. */
type SharedReading = { reading: AbortController; first: Promise<TreePage> }

/** Loads a list: the first page, the next page, a retry, or all loaded pages again. */
export async function read(store: TreeStore, node: number, part: PartOfFolder, shared?: SharedReading): Promise<void> {
  const { tree, generation, readings } = store
  const key = readingKey(node, part)
  if (readings.has(key)) return
  const reading = shared?.reading ?? new AbortController()
  readings.set(key, reading)
  const children = childrenOf(tree, node, part)
  const isAgain = children.readGeneration > 0 && children.readGeneration < generation
  if (!isAgain && children.state !== 'loading') {
    children.state = 'loading'
    notify(store)
  }
  const { page, error } = await pageOf(store, { node, part, isAgain }, reading.signal, shared?.first)
  if (reading.signal.aborted) return
  readings.delete(key)
  if (page) (isAgain ? replaceList : addPage)(tree, node, part, page, generation)
  else {
    children.readGeneration = generation
    if (isAgain) store.outdated = error
    else children.state = 'failed'
  }
  if (store.isBehind && readings.size === 0) reload(store, store.query)
  else notify(store)
}

const pathOf = ({ tree, path }: TreeStore, node: number): string => tree.entries[node]?.path ?? path

type List = { node: number; part: PartOfFolder; isAgain: boolean }

async function pageOf(store: TreeStore, list: List, signal: AbortSignal, first?: Promise<TreePage>) {
  const { tree, query } = store
  const { node, part, isAgain } = list
  const place = { part, path: pathOf(store, node) }
  const { nodes, next } = childrenOf(tree, node, part)
  try {
    const page = await (first ?? readPage(query, place, isAgain ? null : next, signal))
    return { page: isAgain ? await readOn(query, place, page, nodes.length, signal) : page }
  } catch (error) {
    return { error: error as Error }
  }
}

/** Reloads the pages after the first, up to the previous length of the list. */
async function readOn(
  query: TreeQuery,
  place: { path: string; part: PartOfFolder },
  first: TreePage,
  loaded: number,
  signal: AbortSignal,
): Promise<TreePage> {
  let whole = first
  while (whole.next !== null && whole.entries.length < loaded) {
    const page = await readPage(query, place, whole.next, signal)
    whole = { ...page, entries: [...whole.entries, ...page.entries] }
  }
  return whole
}

/** The tree of a folder. Reloads when the query changes or the server reports changed entries. */
export function useTreeStore(path: string, query: TreeQuery): TreeStore {
  const [store] = useState(() => newTreeStore(path, query))
  const seen = useSnapshot(versions)
  const dataVersions = [seen['all'], seen['snapshots'], seen['tags']].map((version) => version ?? 0).join()
  const isNow = query.at.live !== undefined && query.previousDate === undefined
  const changes = isNow ? (seen['live'] ?? 0) : 0
  const key = JSON.stringify([query, dataVersions])
  const [first] = useState(key)
  const [firstChanges] = useState(changes)
  const reloadIfNew = useEffectEvent((key: string) => {
    if (key !== first || store.generation > 1) reload(store, query)
  })
  useEffect(() => reloadIfNew(key), [key])
  const followIfNew = useEffectEvent((changes: number) => {
    if (changes !== firstChanges) follow(store)
  })
  useEffect(() => followIfNew(changes), [changes])
  const [subscribe] = useState(() => (listener: () => void) => {
    store.listeners.add(listener)
    return () => void store.listeners.delete(listener)
  })
  useSyncExternalStore(subscribe, () => store.version)
  return store
}
