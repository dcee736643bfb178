import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { asText, csvHead, csvSettings } from '#server/platform/files/csv.ts'
import type { Config } from '#server/config.ts'
import { timeZone } from '#server/platform/days.ts'
import type { Platform } from '#server/platform/platform.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { type Column, columnsOf, type Kind } from './columns.ts'
import type { DownloadList } from './topRows.ts'
import { type Rows, saveRows } from './saveRows.ts'
import { inWorkFolder } from './workFolder.ts'

const pieceBytes = 256 * 1024

/**
 * A list as CSV: the engine writes it to a file, which is then sent. So neither the result nor a slow connection
 * occupies memory or the engine, and any failure is known before the first byte is sent.
 */
export async function exportCsv(
  { clickhouse, config }: Platform,
  kind: Kind,
  listed: DownloadList,
  signal: AbortSignal,
) {
  const columns = columnsOf(kind, listed.selection)
  const rows: Rows = { cells: columns.map(cellOf), isOfFiles: kind === 'files', settings: [csvSettings], format: 'CSV' }
  const heads = columns.map(({ head }) => head)
  return csvFile(config, heads, (path) => saveRows(clickhouse, listed, rows, path, signal))
}

/** A CSV file whose rows `save` writes; it is deleted as soon as it is open for sending. */
export const csvFile = (config: Config, heads: readonly string[], save: (path: string) => Promise<void>) =>
  inWorkFolder(config, async (folder) => {
    const path = join(folder, 'rows.csv')
    await save(path)
    const head = csvHead(heads)
    const file = await open(path)
    return { size: head.length + (await file.stat()).size, body: bytesOf(head, file) }
  })

function cellOf({ kind, value, ours }: Column): Sql {
  if (kind === 'text') return ours ? value : asText(value)
  return kind === 'moment' ? momentCell(value) : value
}

/** A time in the server's time zone. */
export const momentCell = (value: Sql): Sql => sql`toTimeZone(${value}, ${timeZone()})`

async function* bytesOf(head: Uint8Array, file: FileHandle): AsyncGenerator<Uint8Array> {
  try {
    yield head
    yield* file.createReadStream({ highWaterMark: pieceBytes, autoClose: false })
  } finally {
    await file.close()
  }
}
