/** Number of names of a folder that are remembered to notice repeated ones, and maximum distance of a name from its slot. */
const rememberedNames = 100_000
const maxProbe = 64
/** Repeated names of a folder until its listing counts as endless. */
const maxRepeated = 100_000
const minSlots = 1_024

/**
 * Names one after another in `bytes`, each up to its end; a slot holds the number of a name plus one, or 0. There are twice as many slots
 * as names, so that most names are in the slot of their hash.
 */
type NameTable = { slots: Int32Array; hashes: Int32Array; ends: Uint32Array; bytes: Buffer; count: number }

const emptyTable = (): NameTable => ({
  slots: new Int32Array(minSlots),
  hashes: new Int32Array(minSlots / 2),
  ends: new Uint32Array(minSlots / 2),
  bytes: Buffer.allocUnsafeSlow(minSlots * 16),
  count: 0,
})

/**
 * The names of a folder so far, as bytes: some file systems give a name again that is replaced while they are read. It makes
 * nothing for a name, and remembers the first 100,000.
 */
export function newSeenNames() {
  let table = emptyTable()
  let repeated = 0
  return {
    /** Forgets all names, for the next folder, and frees the memory of a large one. */
    clear() {
      repeated = 0
      if (table.slots.length > minSlots) table = emptyTable()
      else if (table.count > 0) table.slots.fill(0)
      table.count = 0
    },
    /** True if a name in a buffer is new, as far as names are remembered. Throws after 100,000 that were not: the listing may never end. */
    isNew(name: Buffer, from: number, to: number): boolean {
      const hash = hashOf(name, from, to)
      const slot = findSlot(table, hash, name, from, to)
      if (slot === undefined) return true
      if (table.slots[slot] !== 0) {
        if (++repeated > maxRepeated) throw new Error('The listing of this folder repeats names without an end')
        return false
      }
      if (table.count < rememberedNames) remember(table, slot, hash, name, from, to)
      return true
    },
  }
}

export type SeenNames = ReturnType<typeof newSeenNames>

/** Slot of a name, or an empty one for it; undefined if other names use all slots nearby. */
function findSlot(table: NameTable, hash: number, name: Buffer, from: number, to: number): number | undefined {
  const { slots, hashes, ends, bytes } = table
  for (let probe = 0; probe < maxProbe; probe++) {
    const slot = (hash + probe) & (slots.length - 1)
    const index = (slots[slot] as number) - 1
    if (index === -1) return slot
    if (hashes[index] === hash && bytes.compare(name, from, to, beginOf(table, index), ends[index]) === 0) return slot
  }
  return undefined
}

const beginOf = ({ ends }: NameTable, index: number): number => (index === 0 ? 0 : (ends[index - 1] as number))

function remember(table: NameTable, slot: number, hash: number, name: Buffer, from: number, to: number): void {
  const begin = beginOf(table, table.count)
  const end = begin + to - from
  if (end > table.bytes.length) table.bytes = Buffer.concat([table.bytes], Math.max(end, table.bytes.length * 2))
  const { bytes } = table
  for (let at = from; at < to; at++) bytes[begin + at - from] = name[at] as number
  table.ends[table.count] = end
  table.hashes[table.count] = hash
  table.slots[slot] = ++table.count
  if (table.count === table.hashes.length) grow(table)
}

function grow(table: NameTable): void {
  const { hashes, ends } = table
  const slots = new Int32Array(table.slots.length * 2)
  for (const [index, hash] of hashes.entries()) {
    let slot = hash & (slots.length - 1)
    while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1)
    slots[slot] = index + 1
  }
  table.slots = slots
  table.hashes = new Int32Array(hashes.length * 2)
  table.hashes.set(hashes)
  table.ends = new Uint32Array(ends.length * 2)
  table.ends.set(ends)
}

/** Unknown to users who name files, so that no one can give many names the same slot. */
const seed = Math.floor(Math.random() * 2 ** 32)

function hashOf(name: Buffer, from: number, to: number): number {
  let hash = seed | 0
  for (let at = from; at < to; at++) {
    hash = Math.imul(hash ^ (name[at] as number), 0x5bd1e995)
    hash ^= hash >>> 15
  }
  return hash
}
