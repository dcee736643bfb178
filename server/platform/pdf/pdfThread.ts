import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { renderToBuffer } from '@react-pdf/renderer'
import type { PdfDocument } from './document.ts'
import { fonts } from './fonts.ts'
import { layOut } from './layOut.ts'

const document = workerData as PdfDocument
const family = await fonts.load(JSON.stringify(document))
const bytes = new Uint8Array(await renderToBuffer(layOut(document, family)))
const port = parentPort as MessagePort
port.postMessage(bytes, [bytes.buffer])
