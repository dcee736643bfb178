import { constants, zstdCompressSync } from 'node:zlib'
import type { BatchId } from '#events/scans/entryRow.ts'
import { batchLimits } from '#events/scans/batches.ts'

/** A batch as it crosses to the server. */
export type PackedBatch = { batch: number; packed: Uint8Array<ArrayBuffer> }

type Options = { attempt: number; nextBatch: () => number; send: (packed: PackedBatch) => void }

/** Bytes of text at which a batch is full, whatever its rows; far below what the server unpacks. */
const fullBytes = 7 * 1024 * 1024
/** Bytes that are reserved for a batch; the last rows have room beyond where it is full. */
const reservedBytes = 8 * 1024 * 1024
/** How old a batch may become, so that a slow storage's scan is kept too, and seen. */
const oldestMs = 5_000
/** Text is turned into bytes in small pieces: they die young, where one large text would be copied about. */
const pieceLength = 16 * 1024
/** Bytes that a UTF-16 unit may take. */
const bytesOfUnit = 3

/** Gathers rows and sends them as batches. `id` is of the batch that the next row goes into. */
export function newBatches({ attempt, nextBatch, send }: Options) {
  let bytes = Buffer.allocUnsafeSlow(reservedBytes)
  const id: BatchId = { attempt, batch: 0 }
  let length = 0
  let text = ''
  let rows = 0
  let beganMs = 0
  const write = () => {
    // Only paths of megabytes need more.
    const needed = length + text.length * bytesOfUnit
    if (needed > bytes.length) bytes = Buffer.concat([bytes.subarray(0, length)], needed)
    length += bytes.write(text, length)
    text = ''
  }
  const flush = () => {
    if (rows === 0) return
    write()
    for (const packed of pack(bytes.subarray(0, length), id, nextBatch)) send(packed)
    length = 0
    rows = 0
  }
  return {
    /** Begins a batch if none is open; asked before each row is encoded. */
    id(): BatchId {
      if (rows === 0) {
        id.batch = nextBatch()
        beganMs = performance.now()
      }
      return id
    },
    add(row: string) {
      text += row
      rows++
      if (text.length < pieceLength && rows < batchLimits.rows) return
      write()
      if (rows >= batchLimits.rows || length > fullBytes) flush()
    },
    flush,
    rows: () => rows,
    /** Whether the open batch is so old that it is to be sent as it is. */
    isOld: (nowMs: number) => rows > 0 && nowMs - beganMs > oldestMs,
  }
}
export type Batches = ReturnType<typeof newBatches>

const params = { [constants.ZSTD_c_compressionLevel]: 1 }

/** A batch that would not fit into a message becomes two, the second with a number of its own. */
function* pack(
  bytes: Buffer,
  id: BatchId,
  nextBatch: () => number,
  limit = batchLimits.packed,
): Generator<PackedBatch> {
  const packed = zstdCompressSync(bytes, { params })
  const middle = bytes.indexOf('\n', bytes.length / 2) + 1
  if (packed.length <= limit || middle === bytes.length) return yield { batch: id.batch, packed }
  yield* pack(bytes.subarray(0, middle), id, nextBatch, limit)
  const next = { attempt: id.attempt, batch: nextBatch() }
  yield* pack(renumber(bytes.subarray(middle), id, next), next, nextBatch, limit)
}

function renumber(bytes: Buffer, from: BatchId, to: BatchId): Buffer {
  const old = beginning(from).length
  const rows = bytes.toString('utf8').split('\n').slice(0, -1)
  return Buffer.from(rows.map((row) => `${beginning(to)}${row.slice(old)}\n`).join(''))
}

const beginning = ({ attempt, batch }: BatchId) => `${attempt}\t${batch}\t`
