/** Bytes of a file that is read in parts. `read` returns fewer bytes at the end of the file. */
export type Ranges = { size: number; read(start: number, length: number): Promise<Uint8Array> }

/** Bytes of the beginning, and of the end, of a stream that says only there how long it is. */
const endBytes = 7 * 188 * 192
const noBytes = new Uint8Array()

const headBytes = 64 * 1_024

/** Reads the beginning of the file once, which all parsers read. */
export async function withHead({ size, read }: Ranges): Promise<Ranges> {
  const head = await read(0, Math.min(headBytes, size))
  return {
    size,
    read: async (start, length) =>
      start + length <= head.length ? head.subarray(start, start + length) : read(start, length),
  }
}

const blockBytes = 8 * 1_024
/** Blocks of a request: both ends of a stream take two requests each, and less than 512 KB. Longer sequences have more, up to the maximum. */
const usualBlocks = 16
const maxBlocks = 128

/** Reads and keeps blocks of a file, so that the small reads of parsers take few requests. */
export function inBlocks({ size, read }: Ranges): Ranges {
  const blocks = new Map<number, Uint8Array>()
  let next = 0
  let inSequence = 0
  const load = async (first: number) => {
    inSequence = first === next ? inSequence + 1 : 0
    const wanted = Math.min(usualBlocks * 2 ** Math.max(0, inSequence - 3), maxBlocks)
    for (next = first + 1; next < first + wanted && next * blockBytes < size && !blocks.has(next);) next++
    const start = first * blockBytes
    const bytes = await read(start, Math.min(next * blockBytes, size) - start)
    for (let n = first; n < next; n++) {
      const at = (n - first) * blockBytes
      blocks.set(n, bytes.subarray(at, at + blockBytes))
    }
  }
  return {
    size,
    async read(start, length) {
      const end = Math.min(start + length, size)
      const parts: Uint8Array[] = []
      for (let at = start; at < end;) {
        const n = Math.floor(at / blockBytes)
        if (!blocks.has(n)) await load(n)
        const stop = Math.min((n + 1) * blockBytes, end)
        parts.push((blocks.get(n) ?? noBytes).subarray(at - n * blockBytes, stop - n * blockBytes))
        at = stop
      }
      return Buffer.concat(parts)
    },
  }
}

/** Ends the file for a reader after some bytes. Parsers would read megabytes for details that no field has. */
export function limited({ size, read }: Ranges, bytes: number): Ranges {
  let left = bytes
  return {
    size,
    async read(start, length) {
      if (left <= 0) return noBytes
      const found = await read(start, length)
      left -= found.length
      return found
    },
  }
}

/**
 * The beginning and the end of a large stream as if nothing was between them. Packets of MPEG have times, so a parser finds the same duration,
 * but no bit rate.
 */
export function ends({ size, read }: Ranges): Ranges {
  if (size <= 2 * endBytes) return { size, read }
  // A packet starts at this multiple of both sizes of packets.
  const tail = Math.ceil((size - endBytes) / (188 * 192)) * 188 * 192
  const shortened = endBytes + size - tail
  return {
    size: shortened,
    read: (start, length) =>
      start < endBytes ? read(start, Math.min(length, endBytes - start)) : read(start - endBytes + tail, length),
  }
}

const maxBoxes = 1_000
/** Larger indexes are those of weeks of video. */
const maxMovie = 64 * 1_024 * 1_024

/** Bytes of the index of a file of the MP4 family, which parsers need in full; 0 for other files. */
export async function movieBytes({ size, read }: Ranges): Promise<number> {
  let found = 0
  for (let at = 0, boxes = 0; at + 16 <= size && boxes < maxBoxes; boxes++) {
    const header = Buffer.from(await read(at, 16))
    if (header.length < 16) break
    const short = header.readUInt32BE(0)
    const length = short === 1 ? Number(header.readBigUInt64BE(8)) : short === 0 ? size - at : short
    const type = header.toString('latin1', 4, 8)
    if (length < 8 || (boxes === 0 && !firstBoxes.has(type))) break
    if (type === 'moov') found += Math.min(length, size - at)
    at += length
  }
  return Math.min(found, maxMovie)
}

const firstBoxes = new Set(['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip', 'pnot'])
