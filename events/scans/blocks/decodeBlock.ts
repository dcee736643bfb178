import { type BlockColumn, blockColumns } from '../entryRow.ts'

export type DecodedValue = string | number | bigint | boolean | Record<string, string>
/** A row of a block; what the block does not have, has the default of its type. Numbers beyond 2^53 are bigint. */
export type DecodedRow = Record<BlockColumn, DecodedValue>

type Reader = ReturnType<typeof newReader>

/** Reads a block that is well formed, slowly and plainly: for tests. */
export function decodeBlock(block: Uint8Array): DecodedRow[] {
  const reader = newReader(block)
  const columns = reader.varint()
  const rows = reader.varint()
  const read = new Map<string, DecodedValue[]>()
  for (let n = 0; n < columns; n++)
    read.set(reader.text(), valuesOf[reader.text() as keyof typeof valuesOf](reader, rows))
  if (!reader.isAtEnd()) throw new Error('There is more behind the block')
  return Array.from(
    { length: rows },
    (_, row) =>
      Object.fromEntries(
        blockColumns.map(([name, type]) => [name, read.get(name)?.[row] ?? defaults[type]]),
      ) as DecodedRow,
  )
}

type Type = (typeof blockColumns)[number][1]

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

const times = <T>(count: number, read: () => T): T[] => Array.from({ length: count }, read)
const exact = (value: bigint): number | bigint => (BigInt(Number(value)) === value ? Number(value) : value)
const isSafe = (value: bigint) => (Number.isSafeInteger(Number(value)) ? exact(value) : value)

const valuesOf: Record<Type, (reader: Reader, rows: number) => DecodedValue[]> = {
  UInt8: (reader, rows) => times(rows, reader.byte),
  UInt32: (reader, rows) => times(rows, reader.word),
  UInt64: (reader, rows) => times(rows, () => isSafe(reader.long())),
  Int64: (reader, rows) => times(rows, () => isSafe(BigInt.asIntN(64, reader.long()))),
  Bool: (reader, rows) => times(rows, () => reader.byte() === 1),
  String: (reader, rows) => times(rows, reader.text),
  'LowCardinality(String)'(reader) {
    reader.long()
    reader.long()
    const keys = times(Number(reader.long()), reader.text)
    return times(Number(reader.long()), () => keys[reader.half()] as string)
  },
  'Map(String, String)'(reader, rows) {
    const ends = times(rows, () => Number(reader.long()))
    const keys = times(ends.at(-1) ?? 0, reader.text)
    const values = times(keys.length, reader.text)
    return ends.map((end, row) => {
      const numbers = Array.from({ length: end - (ends[row - 1] ?? 0) }, (_, n) => (ends[row - 1] ?? 0) + n)
      return Object.fromEntries(numbers.map((n) => [keys[n] as string, values[n] as string]))
    })
  },
}

function newReader(block: Uint8Array) {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength)
  let at = 0
  const byte = (): number => bytes.readUInt8(at++)
  const varint = (): number => {
    const first = byte()
    return first < 128 ? first : first - 128 + 128 * varint()
  }
  const advance = (length: number): number => (at += length) - length
  return {
    byte,
    varint,
    half: () => bytes.readUInt16LE(advance(2)),
    word: () => bytes.readUInt32LE(advance(4)),
    long: () => bytes.readBigUInt64LE(advance(8)),
    text: (): string => {
      const length = varint()
      return bytes.toString('utf8', advance(length), at)
    },
    isAtEnd: () => at === bytes.length,
  }
}
