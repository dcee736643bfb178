import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { openLimiter } from '#server/platform/limits/limiter.ts'
import type { PdfDocument } from './document.ts'

const program = new URL('pdfThread.ts', import.meta.url)
const resourceLimits = { maxOldGenerationSizeMb: 512 }
/** Each takes a core; others wait. */
const writers = openLimiter(2, 'The server is stopping')

/**
 * Writes a document in a thread of its own: the library takes a second to load, and as long again for hundreds of rows.
 * That blocks nothing else, and a server that writes no documents never loads it.
 */
export const writePdf = (document: PdfDocument, signal?: AbortSignal): Promise<Uint8Array> =>
  writers.take(async () => {
    const worker = new Worker(program, { workerData: document, resourceLimits })
    const calledOff = () => void worker.terminate()
    signal?.addEventListener('abort', calledOff, { once: true })
    try {
      const [bytes] = (await once(worker, 'message', { ...(signal && { signal }) })) as [Uint8Array]
      return bytes
    } finally {
      signal?.removeEventListener('abort', calledOff)
    }
  }, signal)
