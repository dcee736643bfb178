import { isUtf8 } from 'node:buffer'
import { nameFromBytes } from '../../contract/fileNames.ts'

/** Bytes that a UTF-16 unit may take in UTF-8. */
const bytesOfUnit = 3
/** The longest length that takes one byte. */
const maxByteLength = 127
/** The first byte of the characters that stand for stray bytes, see `names.ts`, and of some others. */
const leadOfStray = 0xee

/** Bytes that are written one after another, in the words of ClickHouse's Native format; they grow as needed. */
export class GrowingBytes {
  #bytes: Buffer
  #length = 0

  constructor(reserved = 1_024) {
    this.#bytes = Buffer.allocUnsafeSlow(reserved)
  }

  get length(): number {
    return this.#length
  }

  clear(): void {
    this.#length = 0
  }

  /** A view of the written bytes; the next write may change it. */
  written(from = 0, to = this.#length): Buffer {
    return this.#bytes.subarray(from, to)
  }

  put(source: Uint8Array): void {
    this.#reserve(source.length)
    this.#bytes.set(source, this.#length)
    this.#length += source.length
  }

  zeros(count: number): void {
    this.#reserve(count)
    this.#bytes.fill(0, this.#length, (this.#length += count))
  }

  varint(value: number): void {
    this.#reserve(8)
    let rest = value
    for (; rest > maxByteLength; rest = Math.floor(rest / 128)) this.#bytes[this.#length++] = (rest % 128) + 128
    this.#bytes[this.#length++] = rest
  }

  uint64(value: number): void {
    this.#reserve(8)
    this.#length = this.#bytes.writeBigUInt64LE(BigInt(value), this.#length)
  }

  /** A `String`: its length and its UTF-8. */
  text(value: string): void {
    const maxBytes = value.length * bytesOfUnit
    if (maxBytes > maxByteLength) this.varint(Buffer.byteLength(value))
    this.#reserve(maxBytes + 1)
    const start = maxBytes > maxByteLength ? this.#length : this.#length + 1
    const written = this.#bytes.write(value, start)
    if (maxBytes <= maxByteLength) this.#bytes[start - 1] = written
    this.#length = start + written
  }

  /** The `String` of a name as the disk has it, `source[from..to)`; no text is made of one that is UTF-8. */
  name(source: Uint8Array, from: number, to: number): void {
    const start = this.#length
    this.varint(to - from)
    this.#reserve(to - from)
    const bytes = this.#bytes
    let end = this.#length
    let seen = 0
    for (let at = from; at < to; at++) {
      const byte = source[at] as number
      seen |= byte
      bytes[end++] = byte
    }
    this.#length = end
    if (seen <= maxByteLength) return
    const name = source.subarray(from, to)
    if (isUtf8(name) && !name.includes(leadOfStray)) return
    this.#length = start
    this.text(nameFromBytes(name))
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return
    const grown = Buffer.allocUnsafeSlow(Math.max(this.#length + more, this.#bytes.length * 2))
    this.#bytes.copy(grown, 0, 0, this.#length)
    this.#bytes = grown
  }
}
