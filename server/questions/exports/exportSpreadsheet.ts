import { join } from 'node:path'
import { timeZone } from '#server/platform/days.ts'
import type { Platform } from '#server/platform/platform.ts'
import { type Spreadsheet, writeSpreadsheet } from '#server/platform/files/spreadsheet.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { type Column, columnsOf, type Kind, mediaOf } from './columns.ts'
import type { DownloadList } from './topRows.ts'
import { type Rows, saveRows } from './saveRows.ts'
import { inWorkFolder } from './workFolder.ts'

/**
 * Writes a list as a spreadsheet. Calls `begun` once there is something to send; settles when the file is complete.
 */
export async function exportSpreadsheet(
  { clickhouse, config }: Platform,
  kind: Kind,
  listed: DownloadList,
  signal: AbortSignal,
  begun: (spreadsheet: Spreadsheet) => void,
): Promise<void> {
  const media = await mediaOf(clickhouse, kind, listed.selection)
  const columns = columnsOf(kind, listed.selection, media)
  const asJson: Rows = {
    cells: columns.map(cellOf),
    isOfFiles: kind === 'files',
    hasMedia: media.length > 0,
    format: 'JSONCompactEachRow',
  }
  await inWorkFolder(config, async (folder) => {
    const [rows, file] = [join(folder, 'rows'), join(folder, 'book.xlsx')]
    await saveRows(clickhouse, listed, asJson, rows, signal)
    const title = kind === 'files' ? 'Files' : 'Folders'
    const described = columns.map(({ head, kind, width }) => ({ head, kind, width }))
    const spreadsheet = await writeSpreadsheet({ title, columns: described, rows, file }, signal)
    begun(spreadsheet)
    await spreadsheet.over
  })
}

function cellOf({ kind, value }: Column): Sql {
  if (kind !== 'moment') return value
  return sql`toUnixTimestamp(${value}) + timeZoneOffset(toTimeZone(${value}, ${timeZone()}))`
}
