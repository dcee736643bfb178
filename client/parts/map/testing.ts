import type { FolderMap, MapEntry } from '#events/folders/map.ts'
import { type MapNode, treeOf } from './mapTree.ts'

const plain: MapEntry = {
  folder: null,
  name: '',
  isDirectory: false,
  size: 0,
  extension: '',
  owner: 'ana',
  lastAccess: '2026-01-01T00:00:00.000Z',
  lastModified: '2020-01-01T00:00:00.000Z',
  delta: null,
  isCreated: false,
  smaller: null,
}
/** An entry in short form; `in` are the contents of a folder. */
export type EntrySpec = Partial<MapEntry> & { name: string; in?: EntrySpec[] }

/** API response for a tree. The size of a folder is that of its contents plus `smaller`, unless given. */
export function mapOf(root: EntrySpec, path: string): FolderMap {
  const entries: MapEntry[] = []
  let level = [{ written: root, folder: null as number | null }]
  while (level.length > 0)
    level = level.flatMap(({ written, folder }) => {
      const { in: inside, ...facts } = written
      const place =
        entries.push({ ...plain, ...facts, folder, isDirectory: inside !== undefined, size: sizeOf(written) }) - 1
      return (inside ?? []).map((child) => ({ written: child, folder: place }))
    })
  return { path, indexingDate: '2026-11-21', previousIndexingDate: null, entries }
}
const sizeOf = ({ in: inside, smaller, size = 0 }: EntrySpec): number =>
  inside ? inside.reduce((sum, child) => sum + sizeOf(child), smaller?.size ?? size) : size

export const treeFrom = (root: EntrySpec, path = '/'): MapNode => treeOf(mapOf(root, path))!
