import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream, rmSync, truncateSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'

/** Bytes of one request, in a file of this machine. */
export type Piece = { path: string; size: number; md5: string; sha1: string }

/** Checksums in hex of bytes that were uploaded completely. The bytes are not kept. */
export type StoredBytes = { bytes: number; md5: string; sha1: string; sha256: string }

let count = 0

/**
 * Writes the body of a request to a file. After `cutAfter` bytes the connection is closed. If the client or the cut ends the body early, the
 * piece has the bytes that arrived and `isWhole` is false.
 */
export async function receive(
  request: IncomingMessage,
  folder: string,
  cutAfter = Infinity,
): Promise<Piece & { isWhole: boolean }> {
  const path = join(folder, `piece-${++count}`)
  const [md5, sha1] = [createHash('md5'), createHash('sha1')]
  const file = createWriteStream(path)
  let size = 0
  let isWhole = true
  try {
    for await (const chunk of request) {
      const bytes = (chunk as Buffer).subarray(0, cutAfter - size)
      size += bytes.length
      md5.update(bytes)
      sha1.update(bytes)
      if (!file.write(bytes)) await once(file, 'drain')
      if (size < cutAfter) continue
      isWhole = false
      break
    }
  } catch {
    isWhole = false
  }
  await new Promise<void>((resolve) => file.end(() => resolve()))
  if (!isWhole) request.destroy()
  return { path, size, md5: md5.digest('hex'), sha1: sha1.digest('hex'), isWhole }
}

/** Keeps the first bytes of a piece. */
export function shorten(piece: Piece, size: number): Piece {
  truncateSync(piece.path, size)
  return { ...piece, size }
}

export function discard(pieces: Iterable<Piece>): void {
  for (const { path } of pieces) rmSync(path, { force: true })
}

/** Checksums of all pieces one after another. The pieces are removed. */
export async function joinPieces(pieces: readonly Piece[]): Promise<StoredBytes> {
  const hashes = { md5: createHash('md5'), sha1: createHash('sha1'), sha256: createHash('sha256') }
  let bytes = 0
  for (const { path } of pieces) {
    for await (const chunk of createReadStream(path)) {
      bytes += (chunk as Buffer).length
      for (const hash of Object.values(hashes)) hash.update(chunk as Buffer)
    }
  }
  discard(pieces)
  const { md5, sha1, sha256 } = hashes
  return { bytes, md5: md5.digest('hex'), sha1: sha1.digest('hex'), sha256: sha256.digest('hex') }
}
