import { sql as postgres } from 'kysely'
import { jobTypesOf } from '#events/actions/actions.ts'
import type { FileState } from '#events/actions/files.ts'
import { type Sql, sql, typed } from '#server/platform/clickhouse/sql.ts'
import type { Stores } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { freedBytes } from '../kit/parts.ts'
import type { SelectionPlan } from '#server/questions/selections/index.ts'

/** The selection of a job that moved files to quarantine, and those of the jobs that put them back or deleted them. `scans` are by volume. */
type Moved = { jobId: number; selection: number; scans: Record<string, number>; ended: number[] }

/** The selections of these jobs. They are found by their plans, since jobs are pruned while their files are still in quarantine. */
export async function movedBy(db: Db, jobIds: readonly number[]): Promise<Moved[]> {
  const { rows } = await postgres<Moved>`
    SELECT used_by AS "jobId", id AS selection, scans, coalesce((
      SELECT json_agg(later.id) FROM selections AS later
      WHERE later.used_by IS NOT NULL AND later.plan -> 'request' -> 'payload' ->> 'ofJob' = moved.used_by::text), '[]') AS ended
    FROM selections AS moved
    WHERE used_by = ANY(${jobIds}) AND plan -> 'request' ->> 'jobType' = ANY(${jobTypesOf('quarantine')}) ORDER BY id`.execute(
    db,
  )
  return rows
}

/**
 * Condition on rows of `selected_entries`: a job moved the file to quarantine, and no other has put it back or deleted it. With `sent`, also
 * if it is unknown whether the job did.
 */
export function isInQuarantine(moved: readonly Moved[], ...orSent: 'sent'[]): Sql {
  const selections = moved.map(({ selection }) => selection)
  const pairs = moved.flatMap(({ selection, ended }) => ended.map((id) => ({ id, selection })))
  const ended = pairs.map(({ id }) => id)
  const source = sql`transform(selection, ${numbers(ended)}, ${numbers(pairs.map(({ selection }) => selection))}, toUInt64(0))`
  return sql`(${areIn(selections, 'done', ...orSent)} AND (selection, volume, parent_path, name) NOT IN (
    SELECT ${ended.length > 0 ? source : sql`selection`}, volume, parent_path, name FROM selected_entries WHERE ${areIn(ended, 'done')}))`
}

const numbers = (ids: readonly number[]): Sql => typed(ids, 'Array(UInt64)')

/** Condition: the file has one of these states. */
const areIn = (selections: readonly number[], ...states: FileState[]): Sql => sql`
  selection IN ${numbers(selections)} AND left_out = '' AND (selection, position) IN (
    SELECT selection, position FROM acted_files FINAL WHERE selection IN ${numbers(selections)} AND state IN ${states})`

/**
 * Leaves out files that a policy had moved and that were put back, as long as the job is known: someone needs them, although their times don't
 * show that.
 */
export async function leaveOutPutBack(
  db: Db,
  { leftOut = sql`''`, ...plan }: SelectionPlan,
  policyId: number,
): Promise<SelectionPlan> {
  const { rows } = await postgres<{ id: number }>`
    SELECT id FROM selections WHERE used_by IS NOT NULL AND plan -> 'request' ->> 'jobType' = ANY(${jobTypesOf('putBack')})
      AND plan ->> 'policyId' = ${String(policyId)}`.execute(db)
  const isBack = areIn(
    rows.map(({ id }) => id),
    'done',
  )
  const wasPutBack = sql`(volume, parent_path, name) IN (SELECT volume, parent_path, name FROM selected_entries WHERE ${isBack})`
  return { ...plan, leftOut: sql`if(${wasPutBack}, 'Was put back from quarantine', ${leftOut})` }
}

export type Quarantined = { jobId: number; volumeId: number; files: number; bytes: number }

/** Counts what jobs moved to quarantine and is still there, by job and storage. */
export async function countQuarantined({ db, clickhouse }: Stores, jobIds: readonly number[]): Promise<Quarantined[]> {
  const moved = await movedBy(db, jobIds)
  if (moved.length === 0) return []
  const rows = await clickhouse.rows<Omit<Quarantined, 'jobId'> & { selection: number }>(
    sql`
      SELECT selection, volume AS volumeId, count() AS files, ${freedBytes} AS bytes
      FROM selected_entries WHERE ${isInQuarantine(moved)} GROUP BY selection, volume ORDER BY selection, volume`,
    { heavy: true },
  )
  return rows.map(({ selection, ...counts }) => ({
    jobId: moved.find((one) => one.selection === selection)?.jobId ?? 0,
    ...counts,
  }))
}

/**
 * Selections that tell which files are in quarantine: of jobs with files there, which may have been pruned, and of those that put some back or
 * deleted them.
 */
export async function neededForQuarantine(stores: Stores): Promise<number[]> {
  const { rows } = await postgres<{ jobId: number; isPruned: boolean }>`
    SELECT used_by AS "jobId", NOT EXISTS (SELECT FROM jobs WHERE jobs.id = used_by) AS "isPruned"
    FROM selections WHERE plan -> 'request' ->> 'jobType' = ANY(${jobTypesOf('quarantine')}) AND used_by IS NOT NULL`.execute(
    stores.db,
  )
  const ids = rows.map(({ jobId }) => jobId)
  const moved = await movedBy(stores.db, ids)
  const counted = await countQuarantined(stores, ids)
  const isNeeded = (id: number) =>
    counted.some(({ jobId }) => jobId === id) || rows.some(({ jobId, isPruned }) => jobId === id && !isPruned)
  return moved.flatMap(({ jobId, selection, ended }) => (isNeeded(jobId) ? [selection, ...ended] : []))
}
