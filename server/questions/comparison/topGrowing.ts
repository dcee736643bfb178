import type { Difference } from '#events/comparison.ts'
import type { GrowingFolder } from '#events/overview/growing.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import type { ComparedSnapshots } from './comparedVolumes.ts'
import { listDifferences } from './listDifferences.ts'

/** Folders to return. */
const maxFolders = 10
/** Folders that are read; the growth of others is too small to be among the first ten. */
const maxRead = 300
/** Part of the growth of a folder that the folders in it have to explain to replace it. */
const mainShare = 0.8
/** A result with fewer folders goes further down, since one folder with everything in it is no answer. */
const minFolders = 5

/** The folders that grew most. Storages that only one of the dates shows are left out: all of their files would be growth. */
export async function topGrowing(clickhouse: ClickHouse, compared: ComparedSnapshots): Promise<GrowingFolder[]> {
  if (compared.rescanned.length === 0) return []
  const nothing = { ...compared.now, volumes: [] }
  const query = { page: 1, size: maxRead, sort: 'delta', direction: 'desc' as const, path: '/', kind: [] }
  const { elements } = await listDifferences(
    clickhouse,
    { ...compared, came: nothing, left: nothing },
    'folders',
    query,
  )
  return growthPlaces(elements.flatMap(asGrowing)).slice(0, maxFolders)
}

const asGrowing = ({ volumeId, volumeName, path, delta, size }: Difference): GrowingFolder[] =>
  delta !== null && delta > 0 ? [{ volumeId, volumeName, path: path || '/', growth: delta, size }] : []

/**
 * Starts with the highest folders, and replaces them by the folders in them: the root of a storage always, others if one
 * folder in it has most of the growth, or while there are only a few. Largest growth first.
 */
export function growthPlaces(folders: readonly GrowingFolder[]): GrowingFolder[] {
  const inFolder = Map.groupBy(folders, parentKey)
  const known = new Set(folders.map(ownKey))
  const within = (folder: GrowingFolder) => inFolder.get(ownKey(folder)) ?? []
  let shown = folders.filter((folder) => !known.has(parentKey(folder))).toSorted(byGrowth)
  for (;;) {
    const replaced = shown.find((folder) => isExplained(folder, within(folder), shown.length))
    if (!replaced) return shown
    shown = [...shown.filter((folder) => folder !== replaced), ...within(replaced)].toSorted(byGrowth)
  }
}

const byGrowth = (a: GrowingFolder, b: GrowingFolder): number => b.growth - a.growth

function isExplained({ path, growth }: GrowingFolder, within: readonly GrowingFolder[], shown: number): boolean {
  if (within.length === 0) return false
  const largest = Math.max(...within.map((inner) => inner.growth))
  const together = within.reduce((sum, inner) => sum + inner.growth, 0)
  const isMain = largest >= mainShare * growth
  return path === '/' || isMain || (shown < minFolders && together >= mainShare * growth)
}

const ownKey = ({ volumeId, path }: GrowingFolder): string => `${volumeId} ${path}`

/** The root of a storage is in no folder. */
const parentKey = ({ volumeId, path }: GrowingFolder): string =>
  path === '/' ? '' : `${volumeId} ${path.slice(0, path.lastIndexOf('/')) || '/'}`
