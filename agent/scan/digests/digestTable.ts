/** Bytes of the digest of a folder. */
export const digestBytes = 16
const words = digestBytes / 4
/** Slots for each digest, so that most lie where their first word says. */
const slotsEach = 1.5

/**
 * Digests that threads look up in memory that they share: so many slots of four words, empty ones of zeros. A digest has the path of its
 * folder in it, so that none is looked for by its path.
 */
export type DigestTable = { add(digest: Uint32Array): void; has(digest: Uint32Array): boolean }

/** Memory for at most so many digests, 24 bytes for each. */
export const newTableMemory = (most: number): SharedArrayBuffer =>
  new SharedArrayBuffer((Math.ceil(most * slotsEach) + 1) * digestBytes)

export function openTable(memory: SharedArrayBuffer): DigestTable {
  const slots = new Uint32Array(memory)
  const count = slots.length / words
  /** Where a digest is, or has its place. */
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
