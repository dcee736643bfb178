import { Readable, type Transform } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { RefusedExport } from '#server/scanning/imports/formats/format.ts'

/** Listings compress to a tenth or a thirtieth. More than this after the first bytes is made to fill disks. */
const maxRatio = 200
const allowedBytes = 64 * 1024 * 1024

const unpackers: { magic: number[]; name: string; open: () => Transform }[] = [
  { magic: [0x1f, 0x8b], name: 'gzip', open: createGunzip },
  { magic: [0x28, 0xb5, 0x2f, 0xfd], name: 'zstd', open: createZstdDecompress },
]

/** The bytes of an export, unpacked if they start as gzip or zstd do. Throws `RefusedExport` for damaged files, and for bombs. */
export async function* unpacked(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const iterator = packed[Symbol.asyncIterator]()
  let start = Buffer.alloc(0)
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    start = Buffer.concat([start, next.value])
    if (start.length >= 4) break
  }
  const unpacker = unpackers.find(({ magic }) => magic.every((byte, at) => start[at] === byte))
  let read = 0
  async function* all() {
    for (let bytes: Uint8Array | undefined = start; bytes;) {
      read += bytes.length
      yield bytes
      const next: IteratorResult<Uint8Array> = await iterator.next()
      bytes = next.done ? undefined : next.value
    }
  }
  if (!unpacker) return yield* all()
  let written = 0
  const output = unpacker.open()
  const input = Readable.from(all())
  input.once('error', (error) => output.destroy(error)).pipe(output)
  try {
    for await (const bytes of output as AsyncIterable<Uint8Array>) {
      written += bytes.length
      if (written > allowedBytes + read * maxRatio)
        throw new RefusedExport(`The file unpacks to more than ${maxRatio} times its size.`)
      yield bytes
    }
  } catch (error) {
    if (!/^(ZSTD_|Z_|ERR_)/.test(String((error as NodeJS.ErrnoException).code))) throw error
    throw new RefusedExport(`The file is damaged: ${unpacker.name} can't unpack it to its end.`)
  }
}
