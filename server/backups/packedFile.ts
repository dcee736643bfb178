import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { createZstdDecompress } from 'node:zlib'
import { type BackupFile, damaged } from './manifest.ts'

const newline = 0x0a
/** Bytes per chunk: with the default 16 kB most of the time is spent passing chunks on. */
const chunkSize = 1024 ** 2

/**
 * Reads a compressed file to its end: its size, its hash, and the number of its rows, one per line. Throws if it can't
 * be decompressed.
 */
export async function examine(path: string): Promise<Pick<BackupFile, 'rows' | 'bytes' | 'sha256'>> {
  const hash = createHash('sha256')
  const packed = createReadStream(path, { highWaterMark: chunkSize })
  let bytes = 0
  packed.on('data', (chunk: string | Buffer) => {
    hash.update(chunk)
    bytes += chunk.length
  })
  let rows = 0
  for await (const chunk of unpacked(packed)) {
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1)) rows++
  }
  return { rows, bytes, sha256: hash.digest('hex') }
}

/** Throws `UnfitBackup` unless the file is unchanged since the backup was written. */
export async function checkFile(folder: string, { path, rows, bytes, sha256 }: BackupFile): Promise<void> {
  const found = await examine(join(folder, path)).catch(() => undefined)
  if (found?.sha256 !== sha256 || found.bytes !== bytes || found.rows !== rows) throw damaged(path)
}

/** The rows of a compressed file in chunks; each ends with a newline. */
export async function* chunksOf(path: string, atLeast: number): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let size = 0
  for await (const chunk of unpacked(createReadStream(path, { highWaterMark: chunkSize }))) {
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

function unpacked(packed: ReturnType<typeof createReadStream>): AsyncIterable<Buffer> {
  const unpacking = createZstdDecompress({ chunkSize })
  packed.on('error', (error) => unpacking.destroy(error))
  return packed.pipe(unpacking)
}
