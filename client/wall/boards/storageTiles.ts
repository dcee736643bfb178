import { groupByDisk } from '#events/capacity.ts'
import type { StorageSize } from '#events/dashboard.ts'
import type { WallStorage } from '#events/wall.ts'
import { type Box, layoutTreemap } from '#client/parts/map/canvas/layoutTreemap.ts'
import type { MapNode } from '#client/parts/map/mapTree.ts'

/** Position of the contents of a disk's tile below its title, in hundredths of the screen's shorter side. */
const tileFrame = { title: 7, padding: 1.4 }

/** A disk with its storages and its position on the map, as shares of the map. */
export type DiskTile = { disk: StorageSize[]; box: Box; hasWords: boolean }

/** Smaller tiles have no text, or no folders. In hundredths of the screen's shorter side. */
const wordsNeed = { width: 20, height: 15 }
const foldersNeed = { width: 36, height: 28 }
const folderWordsNeed = { width: 16, height: 10 }

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

/** A folder on the map, with its position in the tile of its disk. Without a name, it stands for the other files. */
export type FolderTile = { key: string; name: string | undefined; size: number; box: Box; hasWords: boolean }

/**
 * Treemap of the largest folders of a disk's storages in its tile; empty if the tile is too small or the folders are not
 * known. `width` and `height` are those of the map in pixels.
 */
export function folderTiles(
  { disk, box }: DiskTile,
  storages: readonly WallStorage[],
  { width, height, vmin }: { width: number; height: number; vmin: number },
): FolderTile[] {
  const inside = {
    width: box.width * width - 2 * tileFrame.padding * vmin,
    height: box.height * height - (tileFrame.title + tileFrame.padding) * vmin,
  }
  if (inside.width < foldersNeed.width * vmin || inside.height < foldersNeed.height * vmin) return []
  const named = disk.flatMap(({ volumeId, name: storage }) =>
    (storages.find((one) => one.volumeId === volumeId)?.folders ?? []).map(({ name, size }) => ({
      name: disk.length > 1 ? `${storage}: ${name}` : name,
      size,
    })),
  )
  if (named.length === 0) return []
  const others = sum(disk.map(({ sizeOfFiles }) => sizeOfFiles)) - sum(named.map(({ size }) => size))
  const all = [...named, { name: undefined, size: Math.max(0, others) }].toSorted((a, b) => b.size - a.size)
  const children = all.map(({ size }, at) => nodeOf(String(at), size, [])).filter(({ size }) => size > 0)
  return layoutTreemap(nodeOf('all', 0, children), inside.width, inside.height).map(({ node, ...place }) => ({
    key: node.key,
    name: all[Number(node.key)]?.name,
    size: node.size,
    box: inParts(place, inside.width, inside.height),
    hasWords: place.width >= folderWordsNeed.width * vmin && place.height >= folderWordsNeed.height * vmin,
  }))
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

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
