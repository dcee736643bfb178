import fs, { type ReadStream } from 'node:fs'
import { promisify } from 'node:util'
import { messageOf } from '../../system.ts'
import { NoRow } from './inventoryObject.ts'
import { readCsv } from './readCsv.ts'
import type { FromReader, ReaderStart } from './readFile.ts'
import { readParquet } from './readParquet.ts'

/*
 * The process in which files of inventories are read: see `readFile.ts`. Its one argument is a `ReaderStart`; the file is
 * its open file 4. It sends the next rows whenever it gets a message.
 */

const fileNumber = 4
const read = promisify(fs.read)
const file = {
  read: (bytes: Uint8Array, offset: number, length: number, position: number) =>
    read(fileNumber, bytes, offset, length, position),
  createReadStream: (): ReadStream => fs.createReadStream('', { fd: fileNumber, start: 0, autoClose: false }),
}

const { format, columns, size } = JSON.parse(process.argv[2] ?? '') as ReaderStart
const rows = format === 'CSV' ? readCsv(file, columns) : readParquet(file, size)

const send = (message: FromReader) => process.send?.(message)
process.on('disconnect', () => process.exit(0))
process.on('message', () => {
  rows.next().then(({ done, value }) => send(done ? { type: 'end' } : { type: 'rows', rows: value }), fail)
})

function fail(error: unknown): void {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  send({ type: 'failed', reason: messageOf(error), code, isNoRow: error instanceof NoRow })
}
