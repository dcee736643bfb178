import { capacityOf, groupByDisk, usedShare } from '#events/capacity.ts'
import type { StorageSize } from '#events/dashboard.ts'
import { groupLabel } from '#client/parts/storages/volumeWords.ts'

/** What storages hold together; what is not known is not summed. Bytes. */
export type StorageTotals = {
  used: number
  free: number
  capacity: number
  sizeOfFiles: number
  /** Files with several hard links once. */
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

/** The storages that the figures count, and how calls and the search are told of them; nothing where it is all of them. */
export function chosenStorages(storages: readonly StorageSize[], leftOut: readonly number[]) {
  const chosen = storages.filter(({ volumeId }) => !leftOut.includes(volumeId))
  const ids = chosen.map(({ volumeId }) => volumeId)
  return { chosen, volumeId: chosen.length === storages.length ? undefined : ids }
}

const byFullness = (a: StorageSize, b: StorageSize) =>
  (usedShare(b) ?? -1) - (usedShare(a) ?? -1) || b.sizeOfFiles - a.sizeOfFiles

/** The disks of storages by kind, in each the fullest first; those of unknown capacity last, by the size of their files. */
export function kindsOf(storages: StorageSize[]): { kind: string; disks: StorageSize[][] }[] {
  const kinds = Map.groupBy(storages, ({ type }) => groupLabel(type))
  return [...kinds].map(([kind, members]) => ({ kind, disks: groupByDisk(members.toSorted(byFullness)) }))
}
