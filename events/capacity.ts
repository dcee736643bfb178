import { z } from 'zod'

/**
 * The file system of a storage as reported by `df`, in bytes; null if unknown. `free` is what users may still fill. The
 * rest, neither used nor free, is reserved for the system.
 */
export const Capacity = z.object({
  total: z.number().nullable(),
  used: z.number().nullable(),
  free: z.number().nullable(),
  /** Equal for storages on the same file system, which share its capacity. Null if unknown. */
  fileSystem: z.string().nullable(),
})
export type Capacity = z.infer<typeof Capacity>

/** `limited` if the caller sees only a part of the storage: its figures count that part, and its capacity is null. */
export const LimitedPart = z.object({ limited: z.literal(true).optional() })
export type LimitedPart = z.infer<typeof LimitedPart>

type Sizes = Pick<Capacity, 'total' | 'used' | 'free'>

/** Bytes that users have or may fill; undefined if unknown. Without a known `free`, nothing counts as reserved. */
export function usableBytes({ total, used, free }: Sizes): number | undefined {
  if (used === null || !total) return undefined
  return used + (free ?? Math.max(0, total - used))
}

/** Fill level from 0 to 1, as in `df`: reserved bytes count neither as used nor as free. Undefined if unknown. */
export function usedShare(sizes: Sizes): number | undefined {
  const usable = usableBytes(sizes)
  return usable ? (sizes.used ?? 0) / usable : undefined
}

/** Bytes that only the system may fill; undefined if unknown. */
export function reservedBytes(sizes: Sizes): number | undefined {
  const usable = usableBytes(sizes)
  return usable === undefined ? undefined : Math.max(0, (sizes.total ?? 0) - usable)
}

/** Groups storages by file system, in their order. A storage with an unknown file system is its own group. */
export const groupByDisk = <Storage extends Pick<Capacity, 'fileSystem'>>(
  storages: readonly Storage[],
): Storage[][] => [...Map.groupBy(storages, (storage) => storage.fileSystem ?? storage).values()]

/** Pairs each storage with the previous one if they share a disk, so that a list shows each disk once. */
export function withSameDisk<Storage extends Pick<Capacity, 'fileSystem'>>(
  storages: readonly Storage[],
): (Storage & { sameDiskAs: Storage | undefined })[] {
  const first = new Map(groupByDisk(storages).flatMap((disk) => disk.map((storage) => [storage, disk[0]] as const)))
  return storages.map((storage) => {
    const shown = first.get(storage)
    return { ...storage, sameDiskAs: shown === storage ? undefined : shown }
  })
}

/** Total capacity in bytes of the disks of these storages, each disk counted once. Unknown values are left out. */
export function capacityOf(storages: readonly Capacity[]): { total: number; used: number; free: number } {
  const sum = { total: 0, used: 0, free: 0 }
  for (const [disk] of groupByDisk(storages)) {
    const usable = disk && usableBytes(disk)
    if (!disk || usable === undefined) continue
    const { total, used } = disk
    sum.total += total ?? 0
    sum.used += used ?? 0
    sum.free += usable - (used ?? 0)
  }
  return sum
}
