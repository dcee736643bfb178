import type { StorageSize } from '#events/dashboard.ts'

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
  return {
    ...capacityOf(storages),
    sizeOfFiles: sum(({ sizeOfFiles }) => sizeOfFiles),
    countedSize: sum(({ countedSize }) => countedSize),
    files: sum(({ numberOfFiles }) => numberOfFiles),
    folders: sum(({ numberOfFolders }) => numberOfFolders),
    partial: storages.filter(({ isPartial }) => isPartial).length,
  }
}

/** Storages on one file system share its capacity, which counts once. */
function capacityOf(storages: readonly StorageSize[]): Pick<StorageTotals, 'used' | 'capacity'> {
  const counted = new Set<string>()
  let used = 0
  let capacity = 0
  for (const storage of storages) {
    if (storage.used === null || storage.total === null || counted.has(storage.fileSystem ?? '')) continue
    if (storage.fileSystem !== null) counted.add(storage.fileSystem)
    used += storage.used
    capacity += storage.total
  }
  return { used, capacity }
}
