import { isUtf8 } from 'node:buffer'
import { batchLimits } from '../../scans/batches.ts'
import { batchColumns, type BatchId, blockColumns, isRequired } from '../../scans/entryRow.ts'
import { keysFlags, keysVersion } from './columns.ts'
import { GrowingBytes } from './growingBytes.ts'

/** A block that may be handed to the engine: how many rows it has, which of the columns, and the bytes of these. */
export type CheckedBlock = { rows: number; columns: readonly (typeof blockColumns)[number][]; bytes: Uint8Array }

/** Why a block is refused: one of a few sentences, for they are counted. */
class Fault extends Error {}

const faults = {
  end: 'a block that ends too early',
  rest: 'a block with more behind its end',
  header: 'a block of other columns',
  rows: 'a block with no rows or too many',
  text: 'a block with text that is not UTF-8',
  keys: 'a block whose keys do not fit its rows',
  bool: 'a block with an invalid Bool',
  map: 'a block with a map that cannot be',
} as const

/**
 * Walks a block once, without memory of its own, and says what it has, or why it is not well formed. What the engine may read
 * out of its bounds, or make room for because of a number alone, is refused here; what rows may say is the table's business.
 */
export function checkBlock(block: Uint8Array): CheckedBlock | string {
  try {
    return walkBlock(new Reader(block))
  } catch (error) {
    if (error instanceof Fault) return error.message
    throw error
  }
}

/** The required head of each column: its name and its type. */
const heads = blockColumns.map((column) => {
  const head = new GrowingBytes()
  for (const word of column) head.text(word)
  return { column, bytes: head.written() }
})

function walkBlock(reader: Reader): CheckedBlock {
  const count = reader.varint()
  const rows = reader.varint()
  if (rows < 1 || rows > batchLimits.rows) throw new Fault(faults.rows)
  const bytes = reader.rest()
  const columns: CheckedBlock['columns'][number][] = []
  for (const { column, bytes } of heads) {
    const [name, type] = column
    if (columns.length < count && reader.skipIf(bytes)) {
      columns.push(column)
      walks[type](reader, rows)
    } else if (isRequired(name)) throw new Fault(faults.header)
  }
  if (columns.length !== count) throw new Fault(faults.header)
  if (!reader.isAtEnd()) throw new Fault(faults.rest)
  return { rows, columns, bytes }
}

/** The block with the columns that are the same for all of its rows, in pieces. */
export function withBatch({ rows, columns, bytes }: CheckedBlock, id: BatchId) {
  const head = new GrowingBytes()
  head.varint(columns.length + batchColumns.length)
  head.varint(rows)
  for (const [name, type] of batchColumns) {
    head.text(name)
    head.text(type)
    head.put(new Uint8Array(new Uint32Array(rows).fill(id[name]).buffer))
  }
  return { columns: [...batchColumns, ...columns], pieces: [head.written(), bytes] }
}

type Type = (typeof blockColumns)[number][1]

/** Skips over the values of each type. */
const walks: Record<Type, (reader: Reader, rows: number) => void> = {
  UInt8: (reader, rows) => void reader.take(rows),
  UInt32: (reader, rows) => void reader.take(rows * 4),
  UInt64: (reader, rows) => void reader.take(rows * 8),
  Int64: (reader, rows) => void reader.take(rows * 8),
  Bool(reader, rows) {
    for (const value of reader.take(rows)) if (value > 1) throw new Fault(faults.bool)
  },
  String: (reader, rows) => reader.skipTexts(rows),
  'LowCardinality(String)'(reader, rows) {
    if (reader.uint64() !== keysVersion || reader.uint64() !== keysFlags) throw new Fault(faults.keys)
    const keys = reader.uint64()
    if (keys < 1 || keys > batchLimits.rows + 1) throw new Fault(faults.keys)
    reader.skipTexts(keys)
    if (reader.uint64() !== rows) throw new Fault(faults.keys)
    const indexes = reader.take(rows * 2)
    for (let at = 0; at < indexes.length; at += 2)
      if ((indexes[at] as number) + (indexes[at + 1] as number) * 256 >= keys) throw new Fault(faults.keys)
  },
  'Map(String, String)'(reader, rows) {
    let pairs = 0
    for (let row = 0; row < rows; row++) {
      const end = reader.uint64()
      if (end < pairs) throw new Fault(faults.map)
      pairs = end
    }
    reader.skipTexts(pairs)
    reader.skipTexts(pairs)
  },
}

const maxVarintBytes = 4
const wordBase = 2 ** 32

/** Reads bytes, never beyond their end, for any lengths in them. */
class Reader {
  readonly #bytes: Buffer
  #at = 0

  constructor(block: Uint8Array) {
    this.#bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength)
  }

  rest(): Buffer {
    return this.#bytes.subarray(this.#at)
  }

  isAtEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  take(length: number): Buffer {
    const start = this.#at
    if (length > this.#bytes.length - start) throw new Fault(faults.end)
    this.#at += length
    return this.#bytes.subarray(start, this.#at)
  }

  /** Goes over these bytes if they come next. */
  skipIf(expected: Buffer): boolean {
    const end = this.#at + expected.length
    if (end > this.#bytes.length || expected.compare(this.#bytes, this.#at, end) !== 0) return false
    this.#at = end
    return true
  }

  /** Counts and lengths of a block stay far below four bytes of seven bits. */
  varint(): number {
    let value = 0
    for (let n = 0; n < maxVarintBytes; n++) {
      const byte = this.take(1)[0] as number
      value += (byte & 127) * 128 ** n
      if (byte < 128) return value
    }
    throw new Fault(faults.end)
  }

  /** Rounded from 2^53 on, where it is too high for any value that it is compared with. */
  uint64(): number {
    const bytes = this.take(8)
    return bytes.readUInt32LE(0) + bytes.readUInt32LE(4) * wordBase
  }

  /**
   * Goes over texts. A length below 128 is a character itself, which no other one can reach beyond, so that all bytes between
   * two longer lengths are looked at together.
   */
  skipTexts(count: number): void {
    const bytes = this.#bytes
    let together = this.#at
    for (let n = 0; n < count; n++) {
      const start = this.#at
      let length = bytes[this.#at++] ?? bytes.length
      if (length > 127) {
        this.#checkText(together, start)
        this.#at = start
        length = this.varint()
        together = this.#at
      }
      this.#at += length
      if (this.#at > bytes.length) throw new Fault(faults.end)
    }
    this.#checkText(together, this.#at)
  }

  #checkText(from: number, to: number): void {
    if (!isUtf8(this.#bytes.subarray(from, to))) throw new Fault(faults.text)
  }
}
