import type { Db } from '#server/platform/postgres/postgres.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { all, sql } from '#server/platform/clickhouse/sql.ts'
import { countColumns, type EntryCounts, noEntries } from './countEntries.ts'
import type { FrozenSelection } from './freezeSelection.ts'
import { rowsOfSelection } from './rows.ts'

export const findSelection = (db: Db, id: number): Promise<FrozenSelection | undefined> =>
  db.selectFrom('selections').selectAll().where('id', '=', id).executeTakeFirst()

/** The selections that a job uses. */
export const selectionsOfJob = (db: Db, jobId: number): Promise<FrozenSelection[]> =>
  db.selectFrom('selections').selectAll().where('usedBy', '=', jobId).orderBy('id').execute()

export type PlannedCounts = { kept: EntryCounts; leftOut: (EntryCounts & { reason: string })[] }

/** Totals of a selection: of the kept entries, and of those left out by reason. */
export async function countSelection(clickhouse: ClickHouse, id: number): Promise<PlannedCounts> {
  const { from, where } = rowsOfSelection(id)
  const rows = await clickhouse.rows<EntryCounts & { reason: string }>(
    sql`SELECT left_out AS reason, ${countColumns} FROM ${from} WHERE ${where} GROUP BY left_out ORDER BY left_out`,
    { heavy: true },
  )
  const { reason: _, ...kept } = rows.find(({ reason }) => reason === '') ?? { reason: '', ...noEntries }
  return { kept, leftOut: rows.filter(({ reason }) => reason !== '') }
}

/** A row of a selection. The size is in bytes, -1 if unknown; `modified` is in seconds UTC. */
export type SelectionRow = {
  position: number
  volumeId: number
  path: string
  isDirectory: boolean
  size: number
  modified: number
  part: number
  place: string
  leftOut: string
}

export type SelectionPageQuery = {
  size: number
  /** The position after which the page starts. */
  after?: number | undefined
  part?: number | undefined
  /** Only the entries that are left out, or only the others. */
  isLeftOut?: boolean | undefined
}

/** A page of a selection by position; the cursor is the position of its last row, null at the end. */
export async function pageOfSelection(
  clickhouse: ClickHouse,
  id: number,
  { size, after = 0, part, isLeftOut }: SelectionPageQuery,
): Promise<{ rows: SelectionRow[]; cursor: number | null }> {
  const { from, where } = rowsOfSelection(id)
  const condition = all([
    where,
    sql`position > ${after}`,
    ...(part === undefined ? [] : [sql`part = ${part}`]),
    ...(isLeftOut === undefined ? [] : [isLeftOut ? sql`left_out != ''` : sql`left_out = ''`]),
  ])
  const rows = await clickhouse.rows<SelectionRow>(
    sql`
      SELECT position, volume AS volumeId, if(parent_path = '' AND name = '', '/', concat(parent_path, name)) AS path, is_directory AS isDirectory, size,
        toUnixTimestamp(modified) AS modified, part, place, left_out AS leftOut
      FROM ${from} WHERE ${condition} ORDER BY position LIMIT ${size + 1}`,
    { quick: true },
  )
  const shown = rows.slice(0, size)
  return { rows: shown, cursor: rows.length > size ? (shown.at(-1)?.position ?? null) : null }
}
