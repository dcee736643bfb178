import type { FileHandle } from 'node:fs/promises'
import { ReaderEnded, startReader } from '#events/node/readerProcess.ts'
import { type InventoryRow, NoRow } from './inventoryObject.ts'
import type { Manifest } from './manifest.ts'

/** Argument of the process that reads a file. */
export type ReaderStart = Pick<Manifest, 'format' | 'columns'> & { size: number }
/** Messages of that process, one for each question of its parent. `code` is that of a failed call of Node. */
export type FromReader =
  | { type: 'rows'; rows: InventoryRow[] }
  | { type: 'end' }
  | { type: 'failed'; reason: string; code?: string | undefined; isNoRow: boolean }

/** Bounds of reading a file that someone else made. */
export type ReaderLimits = {
  /** Milliseconds for the next rows. */
  timeoutMs: number
  /** Bytes of memory of the process. */
  memory: number
}
const usualLimits: ReaderLimits = { timeoutMs: 60_000, memory: 1024 ** 3 }

const program = new URL('readerProcess.ts', import.meta.url)

/**
 * Rows of a file of an inventory, some thousand at once, which another process reads. Throws `NoRow` with the reason if a limit is exceeded
 * or the process ends, and what the parsers throw.
 */
export async function* readFile(
  handle: FileHandle,
  start: ReaderStart,
  { timeoutMs, memory }: ReaderLimits = usualLimits,
): AsyncGenerator<InventoryRow[]> {
  const reader = startReader<FromReader>(program, { argument: JSON.stringify(start), file: handle.fd, memory })
  try {
    for (;;) {
      const answer = await reader.next(timeoutMs, 'the next rows', 'next')
      if (answer.type === 'end') return
      if (answer.type === 'failed') throw errorOf(answer)
      yield answer.rows
    }
  } catch (error) {
    throw error instanceof ReaderEnded ? new NoRow(error.message) : error
  } finally {
    reader.stop()
  }
}

function errorOf({ reason, code, isNoRow }: Extract<FromReader, { type: 'failed' }>): Error {
  return isNoRow ? new NoRow(reason) : Object.assign(new Error(reason), code !== undefined && { code })
}
