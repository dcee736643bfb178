import type { StorageSize } from '#events/dashboard.ts'
import { type Box, layTreemap } from '../parts/map/layTreemap.ts'
import type { MapNode } from '../parts/map/mapTree.ts'

/** A storage where the map has it, in parts of the whole. */
export type StorageTile = { storage: StorageSize; box: Box; hasWords: boolean }

/** Tiles with less room than this have no words. In hundredths of the shorter side of the screen. */
const wordsNeed = { width: 17, height: 13 }

/** How much is stored: what is used of a storage, or its files where it has no capacity. Bytes. */
export const storedIn = ({ used, sizeOfFiles }: StorageSize): number => used ?? sizeOfFiles

/** Storages as rectangles as large as what is stored in them, largest first; an empty one has none. Pixels. */
export function storageTiles(
  storages: readonly StorageSize[],
  width: number,
  height: number,
  vmin: number,
): StorageTile[] {
  const byKey = new Map(storages.map((storage) => [String(storage.volumeId), storage]))
  const children = storages
    .map((storage) => nodeOf(String(storage.volumeId), storedIn(storage), []))
    .filter(({ size }) => size > 0)
    .toSorted((a, b) => b.size - a.size)
  return layTreemap(nodeOf('all', 0, children), width, height).flatMap(({ node, ...box }) => {
    const storage = byKey.get(node.key)
    const hasWords = box.width >= wordsNeed.width * vmin && box.height >= wordsNeed.height * vmin
    return storage ? [{ storage, box: inParts(box, width, height), hasWords }] : []
  })
}

const nodeOf = (key: string, size: number, children: MapNode[]): MapNode => ({
  key,
  path: '',
  name: '',
  kind: 'folder',
  size,
  count: 1,
  depth: children.length > 0 ? 0 : 1,
  entry: undefined,
  folder: undefined,
  children,
})

const inParts = (box: Box, width: number, height: number): Box => ({
  x: box.x / width,
  y: box.y / height,
  width: box.width / width,
  height: box.height / height,
})
