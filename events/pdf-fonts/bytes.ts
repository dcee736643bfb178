/** Reads numbers of a font file in order, most significant byte first. */
export class FontReader {
  readonly #view: DataView
  position = 0

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  uint8(): number {
    return this.#view.getUint8(this.position++)
  }

  uint16(): number {
    this.position += 2
    return this.#view.getUint16(this.position - 2)
  }

  int16(): number {
    this.position += 2
    return this.#view.getInt16(this.position - 2)
  }

  uint32(): number {
    this.position += 4
    return this.#view.getUint32(this.position - 4)
  }

  take(length: number): Uint8Array {
    this.position += length
    return new Uint8Array(this.#view.buffer, this.#view.byteOffset + this.position - length, length)
  }

  /** A number of seven bits per byte; all bytes but the last have the highest bit. */
  base128(): number {
    let value = 0
    for (;;) {
      const byte = this.uint8()
      value = value * 128 + (byte & 0x7f)
      if (byte < 0x80) return value
    }
  }

  /** A number of one to three bytes: https://www.w3.org/TR/WOFF2/#255UInt16-0 */
  short(): number {
    const code = this.uint8()
    if (code === 253) return this.uint16()
    if (code === 254) return this.uint8() + 506
    return code === 255 ? this.uint8() + 253 : code
  }
}

/** Numbers of two bytes each, most significant byte first. */
export function bytesOf16(...values: number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(2 * values.length))
  for (const [i, value] of values.entries()) view.setInt16(2 * i, value)
  return new Uint8Array(view.buffer)
}

export function concatenated(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let offset = 0
  for (const part of parts) {
    all.set(part, offset)
    offset += part.length
  }
  return all
}
