import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream, rmSync, truncateSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'

/** Bytes of one request, in a file of this machine. */
export type Piece = { path: string; size: number; md5: string; sha1: string }

/** Checksums in hex of bytes that were uploaded completely. The bytes are not kept. */
export type StoredBytes = { bytes: number; md5: string; sha1: string; sha256: string }

/** Stored bytes of a file, and the number of its completed uploads. */
type StoredFile = { stored: StoredBytes | undefined; uploadCount: number }

/** S3 multipart upload. It stays after its completion, without parts. */
type S3Upload = { id: string; fileId: string; parts: Map<number, Piece>; isCompleted: boolean }
/** Resumable session of GCS. `size` is the number of its bytes. */
export type GcsSession = { fileId: string; pieces: Piece[]; size: number; isCompleted: boolean }
/** Large file of B2. */
type B2Upload = { id: string; fileId: string; parts: Map<number, Piece> }
/** Authorization of B2 for one upload address. After a failure the address accepts nothing more. */
type B2Token = { uploadId: string | undefined; expiresAt: number; isDead: boolean }

/** A fault in the middle of a body. `keep` bytes of a GCS chunk are kept although all arrived. */
type BodyFault = { call: string; cutAfter?: number; keep?: number }

/** Uploads that run, and the faults of their bodies. `folder` is for their bytes until they are complete. */
export function newUploads(folder: () => string, secret: string) {
  const faults: BodyFault[] = []
  let count = 0
  const signature = (signed: string) => createHmac('sha256', secret).update(signed).digest('hex')
  return {
    folder,
    /** Address of the upload host. */
    origin: '',
    s3: new Map<string, S3Upload>(),
    gcs: new Map<string, GcsSession>(),
    b2: new Map<string, B2Upload>(),
    b2Tokens: new Map<string, B2Token>(),
    /** Azure's blocks by file and block id. */
    blocks: new Map<string, Map<string, Piece>>(),
    takeFault(call: string): BodyFault | undefined {
      const at = faults.findIndex((fault) => call.startsWith(fault.call))
      return at < 0 ? undefined : faults.splice(at, 1)[0]
    },
    addFault: (fault: BodyFault) => void faults.push(fault),
    newId: (kind: string) => `${kind}-${++count}-${signature(String(count)).slice(0, 16)}`,
    /** Address of an operation such as `s3/putPart`, signed with its parameters. Other parameters may follow. */
    sign(operation: string, fileId: string, expiresAt: number, parameters: Record<string, string> = {}): string {
      const query = new URLSearchParams({ ...parameters, expires: String(expiresAt) })
      const signed = `/${operation}/${fileId}?${query}`
      return `${this.origin}${signed}&signature=${signature(signed)}`
    },
    /** State of the signature of a path with its query. */
    check(path: string, now: number): 'valid' | 'wrong' | 'expired' {
      const [signed = '', rest = ''] = path.split('&signature=')
      if (rest.split('&')[0] !== signature(signed)) return 'wrong'
      return Number(new URLSearchParams(signed.split('?')[1]).get('expires')) < now ? 'expired' : 'valid'
    },
  }
}

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

/** Keeps a piece under its name, instead of an earlier one. */
export function replace<K>(pieces: Map<K, Piece>, name: K, piece: Piece): void {
  discard([pieces.get(name)].filter((before) => before !== undefined))
  pieces.set(name, piece)
}

export function discard(pieces: Iterable<Piece>): void {
  for (const { path } of pieces) rmSync(path, { force: true })
}

/** The file has these bytes now, in the order of the pieces, which are removed. */
export async function storeBytes(file: StoredFile, pieces: readonly Piece[]): Promise<void> {
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
  file.stored = { bytes, md5: md5.digest('hex'), sha1: sha1.digest('hex'), sha256: sha256.digest('hex') }
  file.uploadCount++
}
