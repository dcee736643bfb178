import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import { type BackupFile, damaged, type FileKey } from './manifest.ts'

const newline = 0x0a
/** Bytes per chunk: with the default 16 kB most of the time is spent passing chunks on. */
const chunkSize = 1024 ** 2

/**
 * Without a tag of its own: the manifest, which the key signs, has the hash of each encrypted file, and a restore checks
 * that first.
 */
const cipher = 'aes-256-ctr'
const ivBytes = 16

/** A file in a backup's folder, whose compressed rows may be encrypted. */
type Stored = Pick<BackupFile, 'path' | 'iv'>

/**
 * Completes a file that was written compressed: encrypts it, if there is a key, and reads it to its end. Returns its size,
 * its hash, and the number of its rows, one per line. Throws if it can't be decompressed.
 */
export async function finishFile(
  folder: string,
  path: string,
  key: FileKey,
): Promise<Pick<BackupFile, 'rows' | 'bytes' | 'sha256' | 'iv'>> {
  const iv = key && (await encrypt(join(folder, path), key))
  return { ...(await examine(folder, { path, iv }, key)), ...(iv !== undefined && { iv }) }
}

async function encrypt(path: string, key: Buffer): Promise<string> {
  const iv = randomBytes(ivBytes)
  await pipeline(
    createReadStream(path, { highWaterMark: chunkSize }),
    createCipheriv(cipher, key, iv),
    createWriteStream(`${path}.new`, { mode: 0o600 }),
  )
  await rename(`${path}.new`, path)
  return iv.toString('base64url')
}

async function examine(folder: string, file: Stored, key: FileKey) {
  const hash = createHash('sha256')
  const stored = createReadStream(join(folder, file.path), { highWaterMark: chunkSize })
  let bytes = 0
  stored.on('data', (chunk: string | Buffer) => {
    hash.update(chunk)
    bytes += chunk.length
  })
  let rows = 0
  for await (const chunk of unpacked(stored, file, key)) {
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1)) rows++
  }
  return { rows, bytes, sha256: hash.digest('hex') }
}

/** Throws `UnfitBackup` unless the file is unchanged since the backup was written. */
export async function checkFile(folder: string, file: BackupFile, key: FileKey): Promise<void> {
  const found = await examine(folder, file, key).catch(() => undefined)
  if (found?.sha256 !== file.sha256 || found.bytes !== file.bytes || found.rows !== file.rows) throw damaged(file.path)
}

/** The rows of a file as text. */
export const rowsOf = (folder: string, file: Stored, key: FileKey): Readable =>
  unpacked(createReadStream(join(folder, file.path), { highWaterMark: chunkSize }), file, key)

/** The rows of a file in chunks; each ends with a newline. */
export async function* chunksOf(rows: AsyncIterable<Buffer>, atLeast: number): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let size = 0
  for await (const chunk of rows) {
    const end = chunk.lastIndexOf(newline) + 1
    if (size + end < atLeast || end === 0) {
      held.push(chunk)
      size += chunk.length
      continue
    }
    yield Buffer.concat([...held, chunk.subarray(0, end)])
    held = [chunk.subarray(end)]
    size = chunk.length - end
  }
  if (size > 0) yield Buffer.concat(held)
}

function unpacked(stored: Readable, { path, iv }: Stored, key: FileKey): Readable {
  if (iv === undefined) return piped(stored, createZstdDecompress({ chunkSize }))
  if (!key) throw new Error(`${path} is encrypted, and there is no key`)
  const opening = createDecipheriv(cipher, key, Buffer.from(iv, 'base64url'))
  return piped(piped(stored, opening), createZstdDecompress({ chunkSize }))
}

/** The second stream fails with the first. */
function piped<Next extends Transform>(from: Readable, next: Next): Next {
  from.on('error', (error) => next.destroy(error))
  return from.pipe(next)
}
