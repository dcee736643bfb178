import { z } from 'zod'

/**
 * The file system that a storage lies on, as `df` tells it: in bytes, null where that is not known. `free` is what users may
 * still fill; what is neither used nor free is reserved for the system.
 */
export const Capacity = z.object({
  total: z.number().nullable(),
  used: z.number().nullable(),
  free: z.number().nullable(),
  /** Storages with the same text lie on one file system and share its capacity; null where it is not known. */
  fileSystem: z.string().nullable(),
})
export type Capacity = z.infer<typeof Capacity>
type Sizes = Pick<Capacity, 'total' | 'used' | 'free'>

/** What users have and may fill, in bytes; undefined where it is not known. What does not tell what is free reserves nothing. */
export function usableBytes({ total, used, free }: Sizes): number | undefined {
  if (used === null || !total) return undefined
  return used + (free ?? Math.max(0, total - used))
}

/** How full it is, of 1, as `df` tells it: what is reserved counts neither as used nor as free. Undefined where it is not known. */
export function usedShare(sizes: Sizes): number | undefined {
  const usable = usableBytes(sizes)
  return usable ? (sizes.used ?? 0) / usable : undefined
}

/** The bytes that only the system itself may fill; undefined where that is not known. */
export function reservedBytes(sizes: Sizes): number | undefined {
  const usable = usableBytes(sizes)
  return usable === undefined ? undefined : Math.max(0, (sizes.total ?? 0) - usable)
}

/** The storages by the disk that they lie on, in their order; one whose file system is not known is alone. */
export const disksOf = <Storage extends Pick<Capacity, 'fileSystem'>>(storages: readonly Storage[]): Storage[][] => [
  ...Map.groupBy(storages, (storage) => storage.fileSystem ?? storage).values(),
]

/** Each storage of a list with the one before it whose disk it shares, so that a list shows each disk once. */
export function withSameDisk<Storage extends Pick<Capacity, 'fileSystem'>>(
  storages: readonly Storage[],
): (Storage & { sameDiskAs: Storage | undefined })[] {
  const first = new Map(disksOf(storages).flatMap((disk) => disk.map((storage) => [storage, disk[0]] as const)))
  return storages.map((storage) => {
    const shown = first.get(storage)
    return { ...storage, sameDiskAs: shown === storage ? undefined : shown }
  })
}

/** What the disks below storages have together, each once. Bytes; what is not known is not summed. */
export function capacityOf(storages: readonly Capacity[]): { total: number; used: number; free: number } {
  const sum = { total: 0, used: 0, free: 0 }
  for (const [disk] of disksOf(storages)) {
    const usable = disk && usableBytes(disk)
    if (!disk || usable === undefined) continue
    const { total, used } = disk
    sum.total += total ?? 0
    sum.used += used ?? 0
    sum.free += usable - (used ?? 0)
  }
  return sum
}
