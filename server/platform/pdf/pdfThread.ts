import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { renderToBuffer } from '@react-pdf/renderer'
import type { PdfDocument } from './document.ts'
import { layOut } from './layOut.ts'

const bytes = new Uint8Array(await renderToBuffer(layOut(workerData as PdfDocument)))
const port = parentPort as MessagePort
port.postMessage(bytes, [bytes.buffer])
