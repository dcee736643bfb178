import { type BlockWriter, newBlockWriter } from '../blockWriter.ts'

const writer = newBlockWriter()

/** The block of the added rows. */
export function blockOf(add: (rows: BlockWriter) => void): Buffer<ArrayBuffer> {
  writer.clear()
  add(writer)
  return Buffer.from(writer.encode())
}
