import type { FolderMap, MapEntry } from '#events/folders/map.ts'
import { nameIn, parentOf } from '#client/ui/text/path.ts'

/** A node of a map: a file, a folder, or all entries of a folder that are too small to be drawn alone. */
export type MapNode = {
  key: string
  path: string
  name: string
  kind: 'file' | 'folder' | 'smaller'
  size: number
  /** How many entries it stands for. */
  count: number
  /** Below the folder that is mapped, which has 0. */
  depth: number
  entry: MapEntry | undefined
  folder: MapNode | undefined
  /** Largest first; together they are as large as the folder. */
  children: MapNode[]
}

/** A place in a volume, as screens share it. */
export type MapPlace = { path: string; name: string; isDirectory: boolean }

export const keyOf = (path: string, kind: MapNode['kind']): string => `${kind} ${path}`

/** What is drawn of an answer. */
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

/** What stands for the rest of a folder. */
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

/** The folder above a path; nothing above the whole volume. */
export const folderAbove = (path: string): string | undefined => (path === '/' ? undefined : parentOf(path))

/** It and all below it, folders before what lies in them. */
export function* everyNode(node: MapNode): Generator<MapNode> {
  yield node
  for (const child of node.children) yield* everyNode(child)
}

/** The folder that going deeper from here leads to: itself, or the one that it lies in. */
export const folderOf = (node: MapNode): MapNode | undefined => (node.kind === 'folder' ? node : node.folder)

/** A folder as a place. */
export const placeOf = (path: string): MapPlace => ({
  path,
  name: nameIn(path),
  isDirectory: true,
})

/** Where a part of a map lies; what stands for many lies nowhere. */
export const placeOfNode = ({ kind, path, name }: MapNode): MapPlace | undefined =>
  kind === 'smaller' ? undefined : { path, name, isDirectory: kind === 'folder' }
