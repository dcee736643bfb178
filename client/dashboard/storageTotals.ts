import type { StorageSize } from '#events/dashboard.ts'
import { capacityOf } from '../parts/capacity/capacityOf.ts'

/** What storages hold together; what is not known is not summed. Bytes. */
export type StorageTotals = {
  used: number
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
  const { used, capacity } = capacityOf(storages)
  return {
    used,
    capacity,
    sizeOfFiles: sum(({ sizeOfFiles }) => sizeOfFiles),
    countedSize: sum(({ countedSize }) => countedSize),
    files: sum(({ numberOfFiles }) => numberOfFiles),
    folders: sum(({ numberOfFolders }) => numberOfFolders),
    partial: storages.filter(({ isPartial }) => isPartial).length,
  }
}
