import { concatenated } from './bytes.ts'

/** Table of a font file. */
export type FontTable = { tag: string; bytes: Uint8Array }

/** A TrueType file of tables. Its checksums are 0: the PDF library doesn't read them. */
export function assembleFont(unordered: readonly FontTable[]): Uint8Array {
  const tables = unordered.toSorted((a, b) => (a.tag < b.tag ? -1 : 1))
  const header = new DataView(new ArrayBuffer(12 + 16 * tables.length))
  header.setUint32(0, 0x00010000)
  header.setUint16(4, tables.length)
  let offset = header.byteLength
  const parts: Uint8Array[] = []
  for (const [i, { tag, bytes }] of tables.entries()) {
    const entry = 12 + 16 * i
    for (let letter = 0; letter < 4; letter++) header.setUint8(entry + letter, tag.charCodeAt(letter))
    header.setUint32(entry + 8, offset)
    header.setUint32(entry + 12, bytes.length)
    const padded = concatenated([bytes, new Uint8Array(-bytes.length & 3)])
    parts.push(padded)
    offset += padded.length
  }
  return concatenated([new Uint8Array(header.buffer), ...parts])
}
