import { capacityOf, groupByDisk, usedShare } from '#events/capacity.ts'
import type { StorageSize } from '#events/dashboard.ts'
import { groupLabel } from '#client/parts/storages/volumeWords.ts'

/** Totals of storages in bytes. Unknown values are not added. */
export type StorageTotals = {
  used: number
  free: number
  capacity: number
  sizeOfFiles: number
  /** Counts files with several hard links once. */
  countedSize: number
  files: number
  folders: number
  partial: number
}

export function storageTotals(storages: readonly StorageSize[]): StorageTotals {
  const sum = (of: (storage: StorageSize) => number | null) =>
    storages.reduce((total, storage) => total + Math.max(0, of(storage) ?? 0), 0)
  const { used, free, total } = capacityOf(storages)
  return {
    used,
    free,
    capacity: total,
    sizeOfFiles: sum(({ sizeOfFiles }) => sizeOfFiles),
    countedSize: sum(({ countedSize }) => countedSize),
    files: sum(({ numberOfFiles }) => numberOfFiles),
    folders: sum(({ numberOfFolders }) => numberOfFolders),
    partial: storages.filter(({ isPartial }) => isPartial).length,
  }
}

/** Selected storages, and their ids as a parameter for calls and links; undefined for all. */
export function chosenStorages(storages: readonly StorageSize[], leftOut: readonly number[]) {
  const chosen = storages.filter(({ volumeId }) => !leftOut.includes(volumeId))
  const ids = chosen.map(({ volumeId }) => volumeId)
  return { chosen, volumeId: chosen.length === storages.length ? undefined : ids }
}

const byFullness = (a: StorageSize, b: StorageSize) =>
  (usedShare(b) ?? -1) - (usedShare(a) ?? -1) || b.sizeOfFiles - a.sizeOfFiles

/** Disks by kind of storage, fullest first. Those of unknown capacity are last, by size of their files. */
export function kindsOf(storages: StorageSize[]): { kind: string; disks: StorageSize[][] }[] {
  const kinds = Map.groupBy(storages, ({ type }) => groupLabel(type))
  return [...kinds].map(([kind, members]) => ({ kind, disks: groupByDisk(members.toSorted(byFullness)) }))
}
