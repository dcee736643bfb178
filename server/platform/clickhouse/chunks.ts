/**
 * Maximum bytes of the texts in one statement's list: the engine reads statements up to 256 kB, with each character
 * escaped.
 */
const maxBytes = 60_000

/** Splits a list into chunks whose texts each fit into one statement. */
export function chunksOf<T>(list: readonly T[], textOf: (item: T) => string): T[][] {
  const pieces: T[][] = []
  let bytes = maxBytes
  for (const item of list) {
    const more = Buffer.byteLength(textOf(item)) + 30
    if (bytes + more > maxBytes) {
      pieces.push([])
      bytes = 0
    }
    pieces.at(-1)?.push(item)
    bytes += more
  }
  return pieces
}
