import { digestsOf } from '#events/actions/contents.ts'
import type { PlannedFile } from '#events/actions/files.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'

/**
 * Marks files whose beginning and end no other file of their set has, in any part of the comparison: they need not be read in full. While a file
 * of the set is not examined, maybe by another agent, the others may be equal to it. Hard links of one file count as one.
 */
export async function markUnlike(
  clickhouse: ClickHouse,
  selection: number,
  files: PlannedFile[],
): Promise<PlannedFile[]> {
  if (files.length === 0) return []
  const sets = [...new Set(files.map(({ place }) => place))]
  const rows = await clickhouse.rows<{ place: string; ends: string; files: number }>(
    sql`
      SELECT place, splitByChar(':', reference)[1] AS ends, toFloat64(uniqExact(splitByChar(':', reference)[3])) AS files
      FROM (SELECT position, place FROM selected_entries WHERE selection = ${selection} AND left_out = '' AND place IN ${sets}) AS chosen
      LEFT JOIN (SELECT position, state, reference FROM acted_files FINAL WHERE selection = ${selection}) AS states
        ON states.position = chosen.position
      WHERE state != 'failed'
      GROUP BY place, ends`,
    { heavy: true },
  )
  const counts = new Map(rows.map(({ place, ends, files }) => [`${place}:${ends}`, files]))
  const isUnlike = ({ place, reference }: PlannedFile) =>
    !counts.has(`${place}:`) && (counts.get(`${place}:${digestsOf(reference).ends}`) ?? 0) < 2
  return files.map((file) => (isUnlike(file) ? { ...file, isUnlikeOthers: true } : file))
}
