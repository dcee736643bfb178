import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { Worker } from 'node:worker_threads'
import { checkBlock } from '#events/node/blocks/checkBlock.ts'
import { isConstraintError, staging } from '#server/workers/ingest/index.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { RefusedExport } from '#server/scanning/imports/formats/format.ts'
import type { FromReader, ReadExport, ReadingStart, ToReader } from './messages.ts'

const program = new URL('thread.ts', import.meta.url)
const resourceLimits = { maxOldGenerationSizeMb: 512 }

/** Pieces of the file that wait for the thread. */
const maxWaiting = 4

/**
 * Reads an export into the staging table of a number, in a thread. `onRead` gets the bytes that were read so far. Throws `RefusedExport` if the file isn't
 * such an export; the rest of the file is left unread then.
 */
export async function readExport(
  clickhouse: ClickHouse,
  id: number,
  file: Readable,
  start: ReadingStart,
  onRead: (bytes: number) => void,
): Promise<ReadExport> {
  await staging.create(clickhouse, id)
  const worker = new Worker(program, { workerData: start, resourceLimits })
  const tell = (message: ToReader, given: ArrayBuffer[] = []) => worker.postMessage(message, given)
  const found = listen(clickhouse, id, worker, tell)
  try {
    await Promise.race([found.done, pass(file, found, tell, onRead)])
    return await found.done
  } finally {
    await worker.terminate()
  }
}

type Listener = { done: Promise<ReadExport>; taken: { pieces: number; isOver: boolean; changed: () => Promise<void> } }
type Tell = (message: ToReader, given?: ArrayBuffer[]) => void

/** Hands the file to the thread, as fast as it takes it. */
async function pass(file: Readable, { taken }: Listener, tell: Tell, onRead: (bytes: number) => void): Promise<void> {
  let [sent, read] = [0, 0]
  // The request has to be answered, so it stays open if the rest of it isn't read.
  for await (const piece of file.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
    const bytes = new Uint8Array(piece)
    read += bytes.length
    tell({ bytes }, [bytes.buffer])
    sent++
    onRead(read)
    while (sent - taken.pieces > maxWaiting && !taken.isOver) await taken.changed()
    if (taken.isOver) return
  }
  tell('end')
}

/** Stores the blocks of the thread one after another. */
function listen(clickhouse: ClickHouse, id: number, worker: Worker, tell: Tell): Listener {
  let wake = () => {}
  const taken = { pieces: 0, isOver: false, changed: () => new Promise<void>((resolve) => (wake = resolve)) }
  let batch = 0
  let storing = Promise.resolve()
  const done = new Promise<ReadExport>((resolve, reject) => {
    worker.on('message', (message: FromReader) => {
      if (message === 'more') {
        taken.pieces++
        wake()
      } else if ('block' in message) {
        const number = ++batch
        storing = storing.then(() => store(clickhouse, id, number, message.block)).then(() => tell('stored'))
        storing.catch(reject)
      } else if ('refused' in message) reject(new RefusedExport(message.refused))
      else storing.then(() => resolve(message.done), reject)
    })
    worker.once('error', reject)
    void once(worker, 'exit').then(() => reject(new Error('The thread that read the export ended')))
  })
  const end = () => {
    taken.isOver = true
    wake()
  }
  done.then(end, end)
  return { done, taken }
}

async function store(clickhouse: ClickHouse, id: number, batch: number, block: Uint8Array): Promise<void> {
  const checked = checkBlock(block)
  if (typeof checked === 'string') throw new RefusedExport(`The file can't be read: ${checked}.`)
  await staging.insertBatch(clickhouse, id, { attempt: 1, batch }, checked).catch((error: unknown) => {
    if (isConstraintError(error)) throw new RefusedExport('The file has paths or values that no storage can have.')
    throw error
  })
}
