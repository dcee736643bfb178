/** What lists of texts in one statement may hold, in bytes: the engine reads statements up to 256 kB, each sign escaped. */
const mostBytes = 60_000

/** A list in pieces whose texts fit into one statement each. */
export function chunksOf<T>(list: readonly T[], textOf: (item: T) => string): T[][] {
  const pieces: T[][] = []
  let bytes = mostBytes
  for (const item of list) {
    const more = Buffer.byteLength(textOf(item)) + 30
    if (bytes + more > mostBytes) {
      pieces.push([])
      bytes = 0
    }
    pieces.at(-1)?.push(item)
    bytes += more
  }
  return pieces
}
