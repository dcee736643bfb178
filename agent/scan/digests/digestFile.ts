import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { digestBytes, newTableMemory, openTable } from './digestTable.ts'

/*
 * A file of digests: a line of JSON with the header, the digests in the order of the walk, then the SHA-256 of all that. The agent reports
 * this hash to the server as the name of the file, so that a file with other contents is not used.
 */

/** The scan that digests belong to, with its volume and product, and what decided its rows in addition to the disk. */
export type DigestHeader = { product: string; volume: number; scan: number; rules: string }

/** Another one for each form of files and digests. */
const format = 1
const sumBytes = 32
/** Of more folders, none are kept: they are looked up in memory, and take 48 MB of it. */
const maxDigests = 2_000_000
/** Bytes that are written at once. */
const chunkBytes = 256 * 1024

const lineOf = (header: DigestHeader): Buffer => Buffer.from(`${JSON.stringify({ format, ...header })}\n`)

/**
 * Starts a file next to the existing one. `add` never fails: if a write fails or there are too many digests, no file is made. `finish`
 * returns the name of the file or undefined; `keep` then replaces the previous file, `drop` removes the new one.
 */
export async function writeDigests(path: string, header: DigestHeader, most = maxDigests) {
  const newPath = `${path}.new`
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file = inChunks(await open(newPath, 'w', 0o600))
  const sum = createHash('sha256')
  let left = most * digestBytes
  const put = (bytes: Uint8Array) => {
    sum.update(bytes)
    file.put(bytes)
  }
  put(lineOf(header))
  return {
    /** Adds digests, which are the writer's from then on. */
    add(digests: Uint8Array) {
      left -= digests.length
      if (left >= 0) put(digests)
    },
    async finish(): Promise<string | undefined> {
      const end = sum.digest()
      file.put(end)
      const isWhole = await file.close()
      return isWhole && left >= 0 ? end.toString('hex') : undefined
    },
    keep: () => rename(newPath, path),
    async drop() {
      await file.close()
      await rm(newPath, { force: true })
    },
  }
}

/** Writes to a file in large chunks. `close` returns true if everything was written. */
function inChunks(file: FileHandle) {
  let waiting: Uint8Array[] = []
  let bytes = 0
  let isWhole = true
  let written: Promise<void> = Promise.resolve()
  const flush = () => {
    const chunk = Buffer.concat(waiting)
    waiting = []
    bytes = 0
    written = written.then(() => file.appendFile(chunk)).catch(() => void (isWhole = false))
  }
  return {
    put(more: Uint8Array) {
      waiting.push(more)
      bytes += more.length
      if (bytes >= chunkBytes) flush()
    },
    async close(): Promise<boolean> {
      flush()
      await written
      await file.close().catch(() => void (isWhole = false))
      return isWhole
    },
  }
}

/**
 * Reads the file of this name into memory that threads may share. Undefined if there is no file, it is another one, or it is damaged in any
 * way.
 */
export async function readDigests(
  path: string,
  header: DigestHeader,
  calledBy: string,
): Promise<SharedArrayBuffer | undefined> {
  const line = lineOf(header)
  try {
    const { size } = await stat(path)
    const count = (size - line.length - sumBytes) / digestBytes
    if (!Number.isInteger(count) || count < 0 || count > maxDigests) return undefined
    const file = await readFile(path)
    const end = file.length - sumBytes
    const sum = createHash('sha256').update(file.subarray(0, end)).digest()
    const isWhole = file.length === size && sum.equals(file.subarray(end)) && sum.toString('hex') === calledBy
    return isWhole && file.subarray(0, line.length).equals(line) ? tableOf(file.subarray(line.length, end)) : undefined
  } catch {
    return undefined
  }
}

function tableOf(digests: Uint8Array): SharedArrayBuffer {
  const memory = newTableMemory(digests.length / digestBytes)
  const table = openTable(memory)
  const digest = new Uint32Array(digestBytes / 4)
  const bytes = new Uint8Array(digest.buffer)
  for (let at = 0; at < digests.length; at += digestBytes) {
    bytes.set(digests.subarray(at, at + digestBytes))
    table.add(digest)
  }
  return memory
}
