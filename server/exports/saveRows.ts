import { writeFile } from 'node:fs/promises'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { untilGone } from '#server/platform/clickhouse/onBehalfOf.ts'
import type { Sql } from '#server/platform/clickhouse/sql.ts'
import { exportQuestion, hasTags } from './exportQuestion.ts'
import { amongForemost, type Listed } from './foremost.ts'

/** The cells of each entry, and their format. */
export type Rows = { cells: Sql[]; settings?: Sql[]; format: 'CSV' | 'JSONCompactEachRow' }

/** A download may take some minutes, and is aborted when its client disconnects. */
const seconds = 300

/** Writes the first entries of a list to a new file, in order. */
export async function saveRows(
  clickhouse: ClickHouse,
  listed: Listed,
  rows: Rows,
  path: string,
  gone: AbortSignal,
): Promise<void> {
  if (listed.meant.snapshot.volumes.length === 0) return writeFile(path, '')
  const asked = { heavy: true, seconds, signal: untilGone(gone) }
  const { most } = listed
  const among = await amongForemost(clickhouse, listed, most, asked)
  const isTagged = await hasTags(clickhouse, listed.meant.snapshot)
  await clickhouse.save(exportQuestion(listed, rows, { among, most, isTagged }), rows.format, path, asked)
}
