import { batchLimits } from '../../../scans/batches.ts'
import { type BlockColumn, blockColumns } from '../../../scans/entryRow.ts'

export type DecodedValue = string | number | bigint | boolean | Record<string, string>
/** A row of a block; what the block does not have, has the default of its type. Numbers beyond 2^53 are bigint. */
export type DecodedRow = Record<BlockColumn, DecodedValue>

type Type = (typeof blockColumns)[number][1]
type Reader = ReturnType<typeof newReader>

const defaults: Record<Type, DecodedValue> = {
  UInt8: 0,
  UInt32: 0,
  UInt64: 0,
  Int64: 0,
  Bool: false,
  String: '',
  'LowCardinality(String)': '',
  'Map(String, String)': {},
}

/** Reads a block, slowly and plainly. Throws if anything about it is not as it must be. */
export function decodeBlock(block: Uint8Array): DecodedRow[] {
  const reader = newReader(block)
  const columns = reader.varint()
  const rows = reader.varint()
  ensure(rows > 0 && rows <= batchLimits.rows)
  const read = new Map<string, DecodedValue[]>()
  const order = blockColumns.map(([name]) => name as string)
  for (let n = 0; n < columns; n++) {
    const name = reader.text()
    const type = reader.text()
    ensure(blockColumns.some((column) => column[0] === name && column[1] === type))
    ensure(order.indexOf(name) > order.indexOf([...read.keys()].at(-1) ?? ''))
    read.set(name, valuesOf[type as Type](reader, rows))
  }
  ensure(reader.isAtEnd() && order.slice(0, 4).every((name) => read.has(name)))
  const values = blockColumns.map(([name, type]) => ({ name, type, read: read.get(name) }))
  return times(rows, (row) => {
    const decoded: Partial<DecodedRow> = {}
    for (const { name, type, read } of values) decoded[name] = read ? (read[row] as DecodedValue) : defaults[type]
    return decoded as DecodedRow
  })
}

function ensure(isSo: boolean): void {
  if (!isSo) throw new Error('The block is not well formed')
}

function times<T>(count: number, read: (n: number) => T): T[] {
  const values: T[] = []
  for (let n = 0; n < count; n++) values.push(read(n))
  return values
}

const exact = (value: bigint): number | bigint => (Number.isSafeInteger(Number(value)) ? Number(value) : value)

function readBool(reader: Reader): boolean {
  const byte = reader.byte()
  ensure(byte < 2)
  return byte === 1
}

const valuesOf: Record<Type, (reader: Reader, rows: number) => DecodedValue[]> = {
  UInt8: (reader, rows) => times(rows, reader.byte),
  UInt32: (reader, rows) => times(rows, reader.word),
  UInt64: (reader, rows) => times(rows, () => exact(reader.long())),
  Int64: (reader, rows) => times(rows, () => exact(BigInt.asIntN(64, reader.long()))),
  Bool: (reader, rows) => times(rows, () => readBool(reader)),
  String: (reader, rows) => times(rows, reader.text),
  'LowCardinality(String)'(reader, rows) {
    ensure(reader.long() === 1n && reader.long() === 0x201n)
    const keys = times(Number(reader.long()), reader.text)
    ensure(keys.length <= 65_536 && reader.long() === BigInt(rows))
    const values = times(rows, () => keys[reader.half()])
    ensure(!values.includes(undefined))
    return values as string[]
  },
  'Map(String, String)'(reader, rows) {
    const ends = times(rows, () => Number(reader.long()))
    ensure(ends.every((end, row) => end >= (ends[row - 1] ?? 0)))
    const keys = times(ends.at(-1) ?? 0, reader.text)
    const values = times(keys.length, reader.text)
    const pairs = keys.map((key, n) => [key, values[n] as string] as const)
    return ends.map((end, row) => Object.fromEntries(pairs.slice(ends[row - 1] ?? 0, end)))
  },
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function newReader(block: Uint8Array) {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength)
  let at = 0
  const advance = (length: number): number => (at += length) - length
  const byte = (): number => bytes.readUInt8(advance(1))
  const varint = (most = 4): number => {
    const first = byte()
    ensure(most > 1 || first < 128)
    return first < 128 ? first : first - 128 + 128 * varint(most - 1)
  }
  return {
    byte,
    varint: () => varint(),
    half: () => bytes.readUInt16LE(advance(2)),
    word: () => bytes.readUInt32LE(advance(4)),
    long: () => bytes.readBigUInt64LE(advance(8)),
    text: (): string => {
      const length = varint()
      ensure(at + length <= bytes.length)
      return utf8.decode(bytes.subarray(advance(length), at))
    },
    isAtEnd: () => at === bytes.length,
  }
}
