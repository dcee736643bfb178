import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { RefusedExport } from '#server/scanning/imports/formats/format.ts'
import { formatReaders } from '#server/scanning/imports/formats/index.ts'
import type { FromReader, ReadingStart, ToReader } from './messages.ts'
import { unpacked } from './unpack.ts'
import { newEntryWriter } from './writeEntries.ts'

const { format, options } = workerData as ReadingStart
const port = parentPort as MessagePort
const send = (message: FromReader) => port.postMessage(message)

const arrived: Uint8Array[] = []
let hasEnded = false
let unstored = 0
let wake = () => {}
port.on('message', (message: ToReader) => {
  if (message === 'end') hasEnded = true
  else if (message === 'stored') unstored--
  else arrived.push(message.bytes)
  wake()
})
const changed = () => new Promise<void>((resolve) => (wake = resolve))

/** The bytes of the export. Each piece is requested when the one before it was taken. */
async function* received(): AsyncGenerator<Uint8Array> {
  for (;;) {
    const bytes = arrived.shift()
    if (bytes) {
      send('more')
      yield bytes
    } else if (hasEnded) return
    else await changed()
  }
}

/** Blocks that the store doesn't have yet. */
const maxUnstored = 2

async function store(block: Uint8Array): Promise<void> {
  unstored++
  port.postMessage({ block } satisfies FromReader, [block.buffer as ArrayBuffer])
  while (unstored >= maxUnstored) await changed()
}

try {
  const { parse, has } = formatReaders[format]
  const parsed = parse(unpacked(received()), options)
  const writer = newEntryWriter(store)
  for await (const entries of parsed.entries) for (const entry of entries) await writer.add(entry)
  const about = await writer.end(has)
  while (unstored > 0) await changed()
  send({ done: { ...about, prefix: parsed.prefix, unreadable: parsed.unreadable } })
} catch (error) {
  if (!(error instanceof RefusedExport)) throw error
  send({ refused: error.message })
}
port.close()
