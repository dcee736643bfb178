import { groupByDisk } from '#events/capacity.ts'
import type { StorageSize } from '#events/dashboard.ts'
import { type Box, layoutTreemap } from '#client/parts/map/canvas/layoutTreemap.ts'
import type { MapNode } from '#client/parts/map/mapTree.ts'

/** A disk with its storages and its position on the map, as shares of the map. */
export type DiskTile = { disk: StorageSize[]; box: Box; hasWords: boolean }

/** Smaller tiles have no text. In hundredths of the screen's shorter side. */
const wordsNeed = { width: 17, height: 13 }

/** Stored bytes: used space of a disk, or size of files for storages without a capacity. */
export const storedIn = ([storage]: StorageSize[]): number =>
  storage?.used ?? storage?.billedSize ?? storage?.sizeOfFiles ?? 0

/** Treemap of disks by stored size, largest first; empty disks are omitted. Pixels. */
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
