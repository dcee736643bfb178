import { groupByDisk } from '#events/capacity.ts'
import type { StorageSize } from '#events/dashboard.ts'
import { type Box, layoutTreemap } from '#client/parts/map/canvas/layoutTreemap.ts'
import type { MapNode } from '#client/parts/map/mapTree.ts'

/** A disk, as the storages on it, where the map has it, in parts of the whole. */
export type DiskTile = { disk: StorageSize[]; box: Box; hasWords: boolean }

/** Tiles with less room than this have no words. In hundredths of the shorter side of the screen. */
const wordsNeed = { width: 17, height: 13 }

/** How much is stored: what is used of a disk, or the files of a storage that has no capacity. Bytes. */
export const storedIn = ([storage]: StorageSize[]): number => storage?.used ?? storage?.sizeOfFiles ?? 0

/** Disks as rectangles as large as what is stored in them, largest first; an empty one has none. Pixels. */
export function diskTiles(storages: readonly StorageSize[], width: number, height: number, vmin: number): DiskTile[] {
  const byKey = new Map(groupByDisk(storages).map((disk, place) => [String(place), disk]))
  const children = [...byKey]
    .map(([key, disk]) => nodeOf(key, storedIn(disk), []))
    .filter(({ size }) => size > 0)
    .toSorted((a, b) => b.size - a.size)
  return layoutTreemap(nodeOf('all', 0, children), width, height).flatMap(({ node, ...box }) => {
    const disk = byKey.get(node.key)
    const hasWords = box.width >= wordsNeed.width * vmin && box.height >= wordsNeed.height * vmin
    return disk ? [{ disk, box: inParts(box, width, height), hasWords }] : []
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
