import { writeFile } from 'node:fs/promises'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { withTimeout } from '#server/platform/clickhouse/forCaller.ts'
import type { Sql } from '#server/platform/clickhouse/sql.ts'
import { exportQuestion, hasTags } from './exportQuestion.ts'
import { topRowsCondition, type DownloadList } from './topRows.ts'

/** The cells of each entry, file or folder, and their format. */
export type Rows = {
  cells: Sql[]
  isOfFiles: boolean
  hasMedia: boolean
  settings?: Sql[]
  format: 'CSV' | 'JSONCompactEachRow'
}

/** A download may take some minutes, and is aborted when its client disconnects. */
const seconds = 300

/** Writes the first entries of a list to a new file, in order. */
export async function saveRows(
  clickhouse: ClickHouse,
  listed: DownloadList,
  rows: Rows,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  if (listed.selection.snapshot.volumes.length === 0) return writeFile(path, '')
  const options = { background: true, seconds, signal: withTimeout(signal) }
  const { maxRows } = listed
  const among = await topRowsCondition(clickhouse, listed, maxRows, options)
  const isTagged = await hasTags(clickhouse, listed.selection.snapshot)
  await clickhouse.save(
    exportQuestion(listed, rows, { among, maxRows, isTagged, isOfFiles: rows.isOfFiles, hasMedia: rows.hasMedia }),
    rows.format,
    path,
    options,
  )
}
