import type { StorageSize } from '#events/dashboard.ts'

/** What the file systems below storages hold together. Bytes; what is not known is not summed. */
export type Capacity = { used: number; free: number; capacity: number }

/** Storages on one file system share its capacity, which counts once. */
export function capacityOf(storages: readonly StorageSize[]): Capacity {
  const counted = new Set<string>()
  const sum = { used: 0, free: 0, capacity: 0 }
  for (const { used, total, free, fileSystem } of storages) {
    if (used === null || total === null || counted.has(fileSystem ?? '')) continue
    if (fileSystem !== null) counted.add(fileSystem)
    sum.used += used
    sum.capacity += total
    sum.free += free ?? Math.max(0, total - used)
  }
  return sum
}
