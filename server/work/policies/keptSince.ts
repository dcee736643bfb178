import { sql as postgres } from 'kysely'
import { counted } from '#events/contract/counted.ts'
import { snapshotOrEmpty } from '#server/content/snapshots/reading/snapshotAt.ts'
import { sql, typed } from '#server/platform/clickhouse/sql.ts'
import type { Stores } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { rowsOfSelection } from '#server/questions/selections/index.ts'
import { keptByOwner } from '#server/work/actions/index.ts'

/** Neighbors in the selection of a link. */
type Answered = { selection: number; first: number; last: number }

/** Answers that are compared with a list. With more, the list waits until they are tags. */
const maxAnswers = 1_000

/** Reasons why a list may not be acted on: owners keep some of its files since it was made, also those whose answers are not tags yet. */
export async function keptSince({ db, clickhouse }: Stores, selectionId: number): Promise<string[]> {
  const answered = await untaggedKeeps(db)
  if (answered.length > maxAnswers) return ['Answers of owners are still being recorded. Wait some minutes.']
  const snapshot = await snapshotOrEmpty(db, 'everything')
  const { from, where } = rowsOfSelection(selectionId)
  const of = (field: keyof Answered) =>
    typed(
      answered.map((one) => one[field]),
      'Array(UInt64)',
    )
  const isAnswered = sql`arrayExists((s, f, l) -> selection = s AND position BETWEEN f AND l, ${of('selection')}, ${of('first')}, ${of('last')})`
  const [row] = await clickhouse.rows<{ files: number }>(
    sql`
      SELECT count() AS files FROM ${from} WHERE ${where} AND left_out = '' AND (${keptByOwner(snapshot)}
        OR (volume, parent_path, name) IN (
          SELECT volume, parent_path, name FROM selected_entries WHERE selection IN ${of('selection')} AND ${isAnswered}))`,
    { heavy: true },
  )
  return row && row.files > 0 ? [`The owners of ${counted(row.files, 'file')} in the list keep them now.`] : []
}

async function untaggedKeeps(db: Db): Promise<Answered[]> {
  const { rows } = await postgres<Answered>`
    SELECT selection_id::float8 AS selection, first_position::float8 AS first, (first_position + files - 1)::float8 AS last
    FROM policy_owner_links WHERE answer_to_all = 'keep' AND NOT is_tagged
    UNION ALL SELECT selection_id::float8, (first_position + position - 1)::float8, (first_position + position - 1)::float8
    FROM policy_answers JOIN policy_owner_links ON id = link_id WHERE answer = 'keep' AND NOT policy_answers.is_tagged
    LIMIT ${maxAnswers + 1}`.execute(db)
  return rows
}
