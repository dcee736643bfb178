import { on } from 'node:events'
import { type FileHandle, open } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'

/**
 * A table to be written as XLSX. Rows are lines of JSON arrays with a cell for each column, null for an empty one. A moment is
 * seconds since 1970 of the clock on the wall, for spreadsheets know no time zones; a day is `yyyy-MM-dd`.
 */
export type Sheet = {
  title: string
  columns: { head: string; kind: 'text' | 'number' | 'moment' | 'day'; width: number }[]
  rows: string
  file: string
  /** With the heads. What is more goes to the next sheet. */
  rowsPerSheet?: number
}

/** How many bytes of the file are written, and whether it is whole. */
export type Growth = { written: number; whole: boolean }

export type Spreadsheet = {
  /** The file, as it grows; fails when it does not become whole. */
  bytes: AsyncIterable<Uint8Array>
  /** Settles when no more is written, whether the file is whole or not. */
  over: Promise<void>
}

const program = new URL('spreadsheetThread.ts', import.meta.url)
const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 }
const pieceBytes = 256 * 1024

/** Writes a spreadsheet in a thread of its own, for it takes half a minute for a million rows; `gone` calls it off. */
export async function writeSpreadsheet(sheet: Sheet, gone: AbortSignal): Promise<Spreadsheet> {
  const file = await open(sheet.file, 'wx+')
  if (gone.aborted) {
    await file.close()
    throw gone.reason
  }
  const worker = new Worker(program, { workerData: sheet, resourceLimits })
  const said = on(worker, 'message', { close: ['exit'], signal: gone }) as AsyncIterable<[Growth]>
  const callOff = () => void worker.terminate()
  gone.addEventListener('abort', callOff, { once: true })
  const over = new Promise<void>((resolve) => void worker.once('exit', () => resolve()))
  return { bytes: follow(file, said), over: over.then(() => gone.removeEventListener('abort', callOff)) }
}

async function* follow(file: FileHandle, said: AsyncIterable<[Growth]>): AsyncGenerator<Uint8Array> {
  try {
    let at = 0
    for await (const [{ written, whole }] of said) {
      for (let piece; at < written; at += piece.length) yield (piece = await readPiece(file, at))
      if (whole) return
    }
    throw new Error('The spreadsheet was not written whole')
  } finally {
    await file.close()
  }
}

async function readPiece(file: FileHandle, at: number): Promise<Uint8Array> {
  const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(pieceBytes), 0, pieceBytes, at)
  if (bytesRead === 0) throw new Error('The spreadsheet is shorter than was said')
  return buffer.subarray(0, bytesRead)
}
