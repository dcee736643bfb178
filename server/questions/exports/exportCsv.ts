import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { asText, csvHead, csvSettings } from '#server/platform/files/csv.ts'
import { piecesOf } from '#server/platform/files/spreadsheet.ts'
import type { WholeFile } from '#server/platform/http/download.ts'
import type { Config } from '#server/platform/config.ts'
import { timeZone } from '#server/platform/days.ts'
import type { Platform } from '#server/platform/platform.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { type Column, columnsOf, type Kind, mediaOf } from './columns.ts'
import type { DownloadList } from './topRows.ts'
import { type Rows, saveRows } from './saveRows.ts'
import { inWorkFolder } from './workFolder.ts'

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
  const media = await mediaOf(clickhouse, kind, listed.selection)
  const columns = columnsOf(kind, listed.selection, media)
  const rows: Rows = {
    cells: columns.map(cellOf),
    isOfFiles: kind === 'files',
    hasMedia: media.length > 0,
    settings: [csvSettings],
    format: 'CSV',
  }
  const heads = columns.map(({ head }) => head)
  return csvFile(config, heads, (path) => saveRows(clickhouse, listed, rows, path, signal))
}

/** A CSV file whose rows `save` writes; its name is removed as soon as it is open for sending. */
export const csvFile = (
  config: Config,
  heads: readonly string[],
  save: (path: string) => Promise<void>,
): Promise<WholeFile> =>
  inWorkFolder(config, async (folder) => {
    const path = join(folder, 'rows.csv')
    await save(path)
    const head = csvHead(heads)
    const file = await open(path)
    const { size } = await file.stat()
    return {
      size: head.length + size,
      async *read(start, end) {
        yield head.subarray(start, end)
        yield* piecesOf(file, Math.max(start - head.length, 0), end - head.length)
      },
      close: () => file.close(),
    }
  })

function cellOf({ kind, value, ours }: Column): Sql {
  if (kind === 'text') return ours ? value : asText(value)
  return kind === 'moment' ? momentCell(value) : value
}

/** A time in the server's time zone. */
export const momentCell = (value: Sql): Sql => sql`toTimeZone(${value}, ${timeZone()})`
