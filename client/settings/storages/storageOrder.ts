import { usedShare } from '#events/capacity.ts'
import type { StorageInSnapshot, StorageOverview } from '#events/overview/storageOverview.ts'
import { costOf } from '#events/price-books.ts'
import { byFullness } from '#client/parts/storages/fullness.ts'
import { trendOf } from '#client/parts/storages/TrendLine.tsx'
import { systemName, volumeName } from '#client/parts/storages/volumeWords.ts'
import type { Sort } from '#client/ui/table/column.ts'

/** Values that storages are sorted by; undefined if unknown. */
export const storageSorts: Record<string, (storage: StorageOverview) => number | string | undefined> = {
  name: (storage) => volumeName(storage).toLowerCase(),
  system: (storage) => systemOf(storage).toLowerCase(),
  used: ({ snapshot }) => snapshot && usedShare(snapshot),
  forecast: ({ snapshot }) => snapshot?.forecast?.days,
  growth: ({ snapshot }) => snapshot && growthOf(snapshot),
  lastScan: ({ lastScan }) => lastScan?.finishedAt ?? undefined,
  cost: ({ snapshot }) => snapshot?.storagePrice && costOf(billedBytes(snapshot), snapshot.storagePrice.price),
} as Record<string, (storage: StorageOverview) => number | string | undefined>

export const systemOf = ({ type, snapshot }: StorageOverview): string => systemName(type, snapshot?.fullPath)

export const billedBytes = ({ sizeOfFiles, billedSize = sizeOfFiles }: StorageInSnapshot): number => billedSize

/** Change of the bytes over the period; undefined without two scans. */
function growthOf({ points }: StorageInSnapshot): number | undefined {
  const { known } = trendOf(points)
  const [first, last] = [known[0], known.at(-1)]
  return first && last && first !== last ? last.value - first.value : undefined
}

/** Storages in an order. Unknown values are last in either direction, and equal ones by fullness. */
export function sortStorages(storages: readonly StorageOverview[], { field, direction }: Sort): StorageOverview[] {
  const valueOf = storageSorts[field]
  const way = direction === 'desc' ? -1 : 1
  return storages.toSorted((a, b) => {
    const [x, y] = [valueOf?.(a) ?? undefined, valueOf?.(b) ?? undefined]
    if (x === undefined || y === undefined) return isUnknown(x) - isUnknown(y) || byFullness(a.snapshot, b.snapshot)
    return x === y ? byFullness(a.snapshot, b.snapshot) : x < y ? -way : way
  })
}

const isUnknown = (value: unknown): number => Number(value === undefined)
