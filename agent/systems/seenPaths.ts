const firstSlots = 1 << 12

/**
 * Paths that a scan has sent, as hashes of 64 bits in a table of at most 64 MB; paths beyond `max` are not remembered. The chance that two
 * of 4,000,000 paths have the same hash is less than one in a million.
 */
export function newSeenPaths(max = 4_000_000) {
  let slots = firstSlots
  let table = new Uint32Array(2 * slots)
  let count = 0

  /** Puts a hash where it belongs; false where it is already. Two zeros stand for an empty slot. */
  const put = (high: number, low: number): boolean => {
    let slot = low & (slots - 1)
    for (; (table[2 * slot] ?? 0) !== 0 || (table[2 * slot + 1] ?? 0) !== 0; slot = (slot + 1) & (slots - 1))
      if (table[2 * slot] === high && table[2 * slot + 1] === low) return false
    if (count >= max) return true
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
      if (2 * count >= slots && count < max) grow()
      const [high, low] = hashOf(path)
      return put(high || 1, low)
    },
    /** False once paths were not remembered. */
    isComplete: () => count < max,
  }
}
export type SeenPaths = ReturnType<typeof newSeenPaths>

/** 64 bits of a text, much faster than a cryptographic hash. Both halves depend on each character. */
function hashOf(text: string): [number, number] {
  let [one, other] = [0xdeadbeef, 0x41c6ce57]
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    one = Math.imul(one ^ unit, 0x9e3779b1)
    other = Math.imul(other ^ unit, 0x5f356495)
  }
  one = Math.imul(one ^ (one >>> 16), 0x85ebca6b) ^ Math.imul(other ^ (other >>> 13), 0xc2b2ae35)
  other = Math.imul(other ^ (other >>> 16), 0x85ebca6b) ^ Math.imul(one ^ (one >>> 13), 0xc2b2ae35)
  return [one >>> 0, other >>> 0]
}
