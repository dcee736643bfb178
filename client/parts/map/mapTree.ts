import type { FolderMap, MapEntry } from '#events/folders/map.ts'
import { nameIn, parentOf } from '#client/ui/text/path.ts'

/** Node of a map: a file, a folder, or an aggregate of a folder's entries that are too small to be drawn. */
export type MapNode = {
  key: string
  path: string
  name: string
  kind: 'file' | 'folder' | 'smaller'
  size: number
  /** Number of entries it represents. */
  count: number
  /** Depth below the mapped folder, which has 0. */
  depth: number
  entry: MapEntry | undefined
  folder: MapNode | undefined
  /** Largest first. Their sizes add up to the size of the folder. */
  children: MapNode[]
}

export type MapPlace = { path: string; name: string; isDirectory: boolean }

export const keyOf = (path: string, kind: MapNode['kind']): string => `${kind} ${path}`

/** Builds the tree from the API response. */
export function treeOf({ entries, path }: FolderMap): MapNode | undefined {
  const nodes: MapNode[] = []
  for (const entry of entries) {
    const folder = entry.folder === null ? undefined : nodes[entry.folder]
    const node = nodeOf(entry, folder, folder ? below(folder.path, entry.name) : path)
    nodes.push(node)
    folder?.children.push(node)
  }
  for (const node of nodes) {
    const { smaller } = node.entry ?? {}
    if (smaller && smaller.size > 0) addSmaller(node, smaller.count, smaller.size)
  }
  return nodes[0]
}

function nodeOf(entry: MapEntry, folder: MapNode | undefined, path: string): MapNode {
  const kind = entry.isDirectory ? 'folder' : 'file'
  const depth = folder ? folder.depth + 1 : 0
  const { name, size } = entry
  return { key: keyOf(path, kind), path, name, kind, size, count: 1, depth, entry, folder, children: [] }
}

/** Aggregate of the remaining entries of a folder. */
export function smallerOf(folder: MapNode, count: number, size: number): MapNode {
  const { path, depth } = folder
  const key = keyOf(path, 'smaller')
  return { key, path, name: '', kind: 'smaller', size, count, depth: depth + 1, entry: undefined, folder, children: [] }
}

function addSmaller(folder: MapNode, count: number, size: number): void {
  const smaller = smallerOf(folder, count, size)
  const place = folder.children.findIndex((child) => child.size < size)
  folder.children.splice(place < 0 ? folder.children.length : place, 0, smaller)
}

const below = (folder: string, name: string) => `${folder === '/' ? '' : folder}/${name}`

/** Parent folder; undefined for the root of a volume. */
export const folderAbove = (path: string): string | undefined => (path === '/' ? undefined : parentOf(path))

/** A node and its descendants, parents first. */
export function* everyNode(node: MapNode): Generator<MapNode> {
  yield node
  for (const child of node.children) yield* everyNode(child)
}

/** Folder that zooming in from a node opens: the node itself, or its parent. */
export const folderOf = (node: MapNode): MapNode | undefined => (node.kind === 'folder' ? node : node.folder)

export const placeOf = (path: string): MapPlace => ({
  path,
  name: nameIn(path),
  isDirectory: true,
})

/** Path of a node. Aggregated nodes have none. */
export const placeOfNode = ({ kind, path, name }: MapNode): MapPlace | undefined =>
  kind === 'smaller' ? undefined : { path, name, isDirectory: kind === 'folder' }
