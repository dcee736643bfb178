import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { Admission } from '#server/platform/limits/admission.ts'
import { workLimits } from '#server/platform/limits/workLimits.ts'
import type { PdfDocument } from './document.ts'

const program = new URL('pdfThread.ts', import.meta.url)
const resourceLimits = { maxOldGenerationSizeMb: 512 }
const writers = new Admission('The server is stopping')

/**
 * Writes a document in a thread of its own: the library takes a second to load, and as long again for hundreds of rows.
 * That blocks nothing else, and a server that writes no documents never loads it.
 */
export const writePdf = (document: PdfDocument, signal?: AbortSignal): Promise<Uint8Array> =>
  writers.take(
    [workLimits.document],
    async () => {
      const worker = new Worker(program, { workerData: document, resourceLimits })
      const calledOff = () => void worker.terminate()
      signal?.addEventListener('abort', calledOff, { once: true })
      try {
        const [bytes] = (await once(worker, 'message', { ...(signal && { signal }) })) as [Uint8Array]
        return bytes
      } finally {
        signal?.removeEventListener('abort', calledOff)
      }
    },
    { signal },
  )
