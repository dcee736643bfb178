/** Bytes of the digest of a folder. */
export const digestBytes = 16
const words = digestBytes / 4
/** Slots per digest, so that most digests are in the slot of their first word. */
const slotsEach = 1.5

/**
 * A table of digests in memory that threads share. A slot has four words of 32 bits; empty slots are zeros. A digest includes the path of
 * its folder, so that it is found without its path.
 */
export type DigestTable = { add(digest: Uint32Array): void; has(digest: Uint32Array): boolean }

/** Memory for up to `most` digests, 24 bytes each. */
export const newTableMemory = (most: number): SharedArrayBuffer =>
  new SharedArrayBuffer((Math.ceil(most * slotsEach) + 1) * digestBytes)

export function openTable(memory: SharedArrayBuffer): DigestTable {
  const slots = new Uint32Array(memory)
  const count = slots.length / words
  /** Slot of a digest, or the empty slot for it. */
  const find = (digest: Uint32Array): number => {
    for (let slot = (digest[0] as number) % count; ; slot = (slot + 1) % count) {
      const at = slot * words
      if (isAt(slots, at, digest) || isEmpty(slots, at)) return at
    }
  }
  return {
    add: (digest) => slots.set(digest, find(digest)),
    has: (digest) => isAt(slots, find(digest), digest),
  }
}

const isAt = (slots: Uint32Array, at: number, digest: Uint32Array): boolean =>
  slots[at] === digest[0] && slots[at + 1] === digest[1] && slots[at + 2] === digest[2] && slots[at + 3] === digest[3]

const isEmpty = (slots: Uint32Array, at: number): boolean =>
  slots[at] === 0 && slots[at + 1] === 0 && slots[at + 2] === 0 && slots[at + 3] === 0

/** Digests that are sent at once. */
const sentAtOnce = 4_096

/** Gathers digests, and sends many at once as bytes of their own. */
export function newDigestCollector(send: (digests: Uint8Array<ArrayBuffer>) => void) {
  let gathered = new Uint32Array(0)
  let count = 0
  const flush = () => {
    if (count > 0) send(new Uint8Array(gathered.buffer.slice(0, count * digestBytes)))
    count = 0
  }
  return {
    add(digest: Uint32Array) {
      if (gathered.length === 0) gathered = new Uint32Array(sentAtOnce * words)
      gathered.set(digest, words * count++)
      if (count === sentAtOnce) flush()
    },
    flush,
  }
}
