import { on } from 'node:events'
import { type FileHandle, open } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'

/**
 * A table to write as XLSX. Rows are lines of JSON arrays with a cell for each column, null for an empty one. A moment
 * is seconds since 1970 of local time, because spreadsheets know no time zones; a day is `yyyy-MM-dd`.
 */
export type Sheet = {
  title: string
  columns: { head: string; kind: 'text' | 'number' | 'moment' | 'day'; width: number }[]
  rows: string
  file: string
  /** Including the head. Further rows go to another sheet. */
  rowsPerSheet?: number
}

/** Bytes written so far, and whether the file is complete. */
export type Growth = { written: number; whole: boolean }

export type Spreadsheet = {
  /** The file as it grows; fails if it can't be completed. */
  bytes: AsyncIterable<Uint8Array>
  /** Settles when writing ends, whether or not the file is complete. */
  over: Promise<void>
}

const program = new URL('spreadsheetThread.ts', import.meta.url)
const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 }
const pieceBytes = 256 * 1024

/** Writes a spreadsheet in a thread of its own, because a million rows take half a minute; `signal` aborts it. */
export async function writeSpreadsheet(sheet: Sheet, signal: AbortSignal): Promise<Spreadsheet> {
  const file = await open(sheet.file, 'wx+')
  if (signal.aborted) {
    await file.close()
    throw signal.reason
  }
  const worker = new Worker(program, { workerData: sheet, resourceLimits })
  // Readers of the messages receive it; after them, nothing would.
  worker.on('error', () => {})
  const messages = on(worker, 'message', { close: ['exit'], signal }) as AsyncIterable<[Growth]>
  const callOff = () => void worker.terminate()
  signal.addEventListener('abort', callOff, { once: true })
  const over = new Promise<void>((resolve) => void worker.once('exit', () => resolve()))
  return { bytes: follow(file, messages), over: over.then(() => signal.removeEventListener('abort', callOff)) }
}

async function* follow(file: FileHandle, messages: AsyncIterable<[Growth]>): AsyncGenerator<Uint8Array> {
  try {
    let at = 0
    for await (const [{ written, whole }] of messages) {
      yield* piecesOf(file, at, written)
      at = Math.max(at, written)
      if (whole) return
    }
    throw new Error('The spreadsheet is incomplete')
  } finally {
    await file.close()
  }
}

/** The bytes of an open file from `start` up to, but not including, `end`. Throws if the file is shorter. */
export async function* piecesOf(file: FileHandle, start: number, end: number): AsyncGenerator<Uint8Array> {
  for (let at = start; at < end;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(pieceBytes), 0, Math.min(pieceBytes, end - at), at)
    if (bytesRead === 0) throw new Error('The file is shorter than announced')
    yield buffer.subarray(0, bytesRead)
    at += bytesRead
  }
}
