import { batchLimits } from '../../scans/batches.ts'
import { GrowingBytes } from './growingBytes.ts'

/** The values of a column of a block, as they are gathered; each is its type's default until it is set. */
export type Column = {
  /** True if any value may differ from the default; otherwise the block omits the column. */
  isUsed: boolean
  /** Writes the values of rows `from` to before `to`, of `rows` in all, in the Native format. */
  write(out: GrowingBytes, from: number, to: number, rows: number): void
  clear(rows: number): void
}

/** Numbers and Bools: the memory of a typed array is the column; `perRow` items of it are a value. */
function fixedColumn<Values extends Uint8Array | Uint16Array | Uint32Array>(values: Values, perRow = 1) {
  const bytes = new Uint8Array(values.buffer)
  const width = values.BYTES_PER_ELEMENT * perRow
  const column = {
    isUsed: false,
    values,
    write: (out: GrowingBytes, from: number, to: number) => out.put(bytes.subarray(from * width, to * width)),
    clear(rows: number) {
      values.fill(0, 0, rows * perRow)
      column.isUsed = false
    },
  }
  return column
}

export const bytesColumn = () => fixedColumn(new Uint8Array(batchLimits.rows))

export function wordsColumn() {
  const column = fixedColumn(new Uint32Array(batchLimits.rows))
  const set = (row: number, value: number) => {
    column.values[row] = value
    if (value !== 0) column.isUsed = true
  }
  return Object.assign(column, { set })
}

/** Numbers of 64 bits, the lower word first. A negative one is its two's complement. */
export function longsColumn() {
  const column = fixedColumn(new Uint32Array(2 * batchLimits.rows), 2)
  const { values } = column
  const set = (row: number, value: number | bigint) => {
    if (value === 0) return
    column.isUsed = true
    const isExact = typeof value === 'bigint'
    values[2 * row] = isExact ? Number(BigInt.asUintN(32, value)) : value
    values[2 * row + 1] = isExact ? Number(BigInt.asUintN(32, value >> 32n)) : Math.floor(value / 2 ** 32)
  }
  return Object.assign(column, { set })
}

/** `String`. Values come in the order of their rows; those between them are empty. */
export function textsColumn(reserved?: number) {
  const texts = new GrowingBytes(reserved)
  let rows = 0
  const fill = (upTo: number) => {
    if (upTo > rows) texts.zeros(upTo - rows)
    rows = Math.max(rows, upTo)
  }
  const column = {
    isUsed: false,
    length: () => texts.length,
    set(row: number, text: string) {
      if (text === '') return
      fill(row)
      column.isUsed = true
      texts.text(text)
      rows = row + 1
    },
    setName(row: number, source: Uint8Array, from: number, to: number) {
      fill(row)
      column.isUsed = true
      texts.name(source, from, to)
      rows = row + 1
    },
    write(out: GrowingBytes, from: number, to: number) {
      fill(to)
      const start = from === 0 ? 0 : endOfTexts(texts.written(), 0, from)
      const end = to === rows ? texts.length : endOfTexts(texts.written(), start, to - from)
      out.put(texts.written(start, end))
    },
    clear() {
      texts.clear()
      rows = 0
      column.isUsed = false
    },
  }
  return column
}

/** End of the given number of texts. */
function endOfTexts(bytes: Uint8Array, start: number, texts: number): number {
  let at = start
  for (let n = 0; n < texts; n++) {
    let length = 0
    let scale = 1
    for (; (bytes[at] as number) > 127; scale *= 128) length += ((bytes[at++] as number) - 128) * scale
    length += (bytes[at++] as number) * scale
    at += length
  }
  return at
}

/** The version of `LowCardinality`'s form, and its flags: keys of the block's own, indexes of 16 bits. */
export const keysVersion = 1
export const keysFlags = (1 << 9) | 1

/** `LowCardinality(String)`: the block contains each text once. Index 0 is the empty text. */
export function keysColumn() {
  const indexes = fixedColumn(new Uint16Array(batchLimits.rows))
  const known = new Map<string, number>()
  const texts = new GrowingBytes()
  const ends: number[] = []
  const indexOf = (text: string): number => {
    const found = known.get(text)
    if (found !== undefined) return found
    const index = known.size
    known.set(text, index)
    texts.text(text)
    ends.push(texts.length)
    return index
  }
  const column = {
    isUsed: false,
    length: () => texts.length,
    /** The number of a text in this block; for `values`. */
    indexOf,
    values: indexes.values,
    set(row: number, text: string) {
      if (text === '') return
      column.isUsed = true
      indexes.values[row] = indexOf(text)
    },
    write(out: GrowingBytes, from: number, to: number, rows: number) {
      out.uint64(keysVersion)
      out.uint64(keysFlags)
      const used = to - from === rows ? undefined : usedKeys(indexes.values.subarray(from, to))
      out.uint64(used?.keys.length ?? ends.length)
      if (used) for (const key of used.keys) out.put(texts.written(ends[key - 1] ?? 0, ends[key]))
      else out.put(texts.written())
      out.uint64(to - from)
      if (used) out.put(new Uint8Array(used.indexes.buffer))
      else indexes.write(out, from, to)
    },
    clear(rows: number) {
      indexes.clear(rows)
      known.clear()
      texts.clear()
      ends.length = 0
      indexOf('')
      column.isUsed = false
    },
  }
  column.clear(0)
  return column
}

/** The keys that some rows of a block use, and the indexes of these rows among them. */
function usedKeys(of: Uint16Array) {
  const numbers = new Map<number, number>()
  const indexes = Uint16Array.from(of, (key) => {
    const number = numbers.get(key) ?? numbers.size
    numbers.set(key, number)
    return number
  })
  return { keys: [...numbers.keys()], indexes }
}

/** `Map(String, String)`: where the pairs of each row end, then all keys, then all values. */
export function mapsColumn() {
  const ends = longsColumn()
  const keys = textsColumn()
  const values = textsColumn()
  let pairs = 0
  const endOf = (row: number): number => {
    for (let at = row; at >= 0; at--) if (ends.values[2 * at] !== 0) return ends.values[2 * at] as number
    return 0
  }
  const column = {
    isUsed: false,
    length: () => keys.length() + values.length(),
    set(row: number, map: Record<string, string>) {
      for (const [key, value] of Object.entries(map)) {
        keys.set(pairs, key)
        values.set(pairs, value)
        ends.set(row, ++pairs)
        column.isUsed = true
      }
    },
    write(out: GrowingBytes, from: number, to: number) {
      const first = endOf(from - 1)
      let end = first
      for (let row = from; row < to; row++) out.uint64((end = Math.max(end, ends.values[2 * row] as number)) - first)
      keys.write(out, first, end)
      values.write(out, first, end)
    },
    clear(rows: number) {
      for (const part of [ends, keys, values]) part.clear(rows)
      pairs = 0
      column.isUsed = false
    },
  }
  return column
}
