import { hash } from 'node:crypto'

const firstSlots = 1 << 12

/**
 * Paths that a scan has sent, as hashes of 64 bits in a table of at most 64 MB; paths beyond `most` are not remembered. The chance that two
 * of 4,000,000 paths have the same hash is less than one in a million.
 */
export function newSeenPaths(most = 4_000_000) {
  let slots = firstSlots
  let table = new Uint32Array(2 * slots)
  let count = 0

  /** Puts a hash where it belongs; false where it is already. Two zeros stand for an empty slot. */
  const put = (high: number, low: number): boolean => {
    let slot = low & (slots - 1)
    for (; (table[2 * slot] ?? 0) !== 0 || (table[2 * slot + 1] ?? 0) !== 0; slot = (slot + 1) & (slots - 1))
      if (table[2 * slot] === high && table[2 * slot + 1] === low) return false
    if (count >= most) return true
    table[2 * slot] = high
    table[2 * slot + 1] = low
    count++
    return true
  }
  const grow = () => {
    const before = table
    slots *= 2
    table = new Uint32Array(2 * slots)
    count = 0
    for (let at = 0; at < before.length; at += 2) {
      const [high, low] = [before[at] ?? 0, before[at + 1] ?? 0]
      if (high !== 0 || low !== 0) put(high, low)
    }
  }
  return {
    /** True for the first call with a path. */
    isNew(path: string): boolean {
      if (2 * count >= slots && count < most) grow()
      const digest = hash('sha256', path, 'buffer')
      return put(digest.readUInt32LE(0) || 1, digest.readUInt32LE(4))
    },
  }
}
export type SeenPaths = ReturnType<typeof newSeenPaths>
