import { sql as postgres } from 'kysely'
import { jobTypesOf } from '#events/actions/actions.ts'
import { notInQuarantine } from '#events/actions/orders.ts'
import { type Sql, sql, typed } from '#server/platform/clickhouse/sql.ts'
import type { Stores } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { freedBytes } from '../kit/parts.ts'
import type { SelectionPlan } from '#server/questions/selections/index.ts'

/**
 * The selection of a job that moved files to quarantine, the name of its folder there, and the selections of the jobs that put files back or
 * deleted them. `scans` are by volume. Jobs of earlier versions have no name.
 */
type Moved = {
  jobId: number
  selection: number
  scans: Record<string, number>
  folder: string | null
  ended: number[]
}

/** Name of the folder in quarantine of a job that starts. */
export const folderOf = (productId: string, jobId: number): string => `${productId.slice(0, 8)}-${jobId}`

/** The selections of these jobs. They are found by their plans, since jobs are pruned while their files are still in quarantine. */
export async function movedBy(db: Db, jobIds: readonly number[]): Promise<Moved[]> {
  const { rows } = await postgres<Moved>`
    WITH later AS (
      SELECT plan -> 'request' -> 'payload' ->> 'ofJob' AS of_job, json_agg(id) AS ids FROM selections
      WHERE used_by IS NOT NULL AND plan -> 'request' -> 'payload' ->> 'ofJob' = ANY(${jobIds.map(String)}) GROUP BY 1)
    SELECT used_by AS "jobId", id AS selection, scans, plan ->> 'folder' AS folder, coalesce(later.ids, '[]') AS ended
    FROM selections AS moved LEFT JOIN later ON of_job = used_by::text
    WHERE used_by = ANY(${jobIds}) AND plan -> 'request' ->> 'jobType' = ANY(${jobTypesOf('quarantine')}) ORDER BY id`.execute(
    db,
  )
  return rows
}

/** Condition on rows of `selected_entries`: a job moved the file to quarantine, and it is still there as far as is known. */
export const isInQuarantine = (moved: readonly Moved[]): Sql =>
  sql`(${areDone(idsOf(moved))} AND ${areNotEnded(moved, isOver)})`

/**
 * Condition: the file is listed to be moved, and no job has put it back or deleted it. One that failed or is not recorded as moved may still be in
 * quarantine, and an agent has nothing to do for one that never moved.
 */
export const mayBePutBack = (moved: readonly Moved[]): Sql =>
  sql`(selection IN ${numbers(idsOf(moved))} AND left_out = '' AND ${areNotEnded(moved, isDone)})`

const isDone = sql`state = 'done'`
/** It is also over where the agent found that others had taken the file out of quarantine. */
const isOver = sql`(${isDone} OR state = 'failed' AND reason IN ${typed(notInQuarantine, 'Array(String)')})`

const idsOf = (moved: readonly Moved[]): number[] => moved.map(({ selection }) => selection)

function areNotEnded(moved: readonly Moved[], isEnded: Sql): Sql {
  const pairs = moved.flatMap(({ selection, ended }) => ended.map((id) => ({ id, selection })))
  const ended = pairs.map(({ id }) => id)
  const source = sql`transform(selection, ${numbers(ended)}, ${numbers(pairs.map(({ selection }) => selection))}, toUInt64(0))`
  return sql`(selection, volume, parent_path, name) NOT IN (
    SELECT ${ended.length > 0 ? source : sql`selection`}, volume, parent_path, name FROM selected_entries WHERE ${areIn(ended, isEnded)})`
}

const numbers = (ids: readonly number[]): Sql => typed(ids, 'Array(UInt64)')

/** Condition: a job recorded a state of the file for which this is true. */
const areIn = (selections: readonly number[], isState: Sql): Sql => sql`
  selection IN ${numbers(selections)} AND left_out = '' AND (selection, position) IN (
    SELECT selection, position FROM acted_files FINAL WHERE selection IN ${numbers(selections)} AND ${isState})`

/** Condition on rows of `selected_entries`: the jobs of these selections are done with the file. */
export const areDone = (selections: readonly number[]): Sql => areIn(selections, isDone)

/**
 * Leaves out files that were put back from quarantine, also those that another policy had moved, as long as that is known: someone needs them, although
 * their times don't show that.
 */
export async function leaveOutPutBack(db: Db, { leftOut = sql`''`, ...plan }: SelectionPlan): Promise<SelectionPlan> {
  const { rows } = await postgres<{ id: number }>`
    SELECT id FROM selections WHERE used_by IS NOT NULL AND plan -> 'request' ->> 'jobType' = ANY(${jobTypesOf('putBack')})`.execute(
    db,
  )
  const isBack = areDone(rows.map(({ id }) => id))
  const wasPutBack = sql`(volume, parent_path, name) IN (SELECT volume, parent_path, name FROM selected_entries WHERE ${isBack})`
  return { ...plan, leftOut: sql`if(${wasPutBack}, 'Was put back from quarantine', ${leftOut})` }
}

export type Quarantined = { jobId: number; volumeId: number; files: number; bytes: number }

/** Counts what jobs are known to have moved to quarantine and is still there, by job and storage. */
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
 * Returns whether files of an ended job may be in quarantine: those that it moved, and those for which it recorded no end, because it was cancelled,
 * its agent was lost, or an older backup was restored.
 */
export async function mayHaveQuarantined({ db, clickhouse }: Stores, jobId: number): Promise<boolean> {
  const moved = await movedBy(db, [jobId])
  if (moved.length === 0) return false
  const isHere = sql`selection IN ${numbers(idsOf(moved))} AND left_out = ''`
  const rows = await clickhouse.rows(
    sql`
      SELECT 1 FROM selected_entries WHERE ${isHere} AND ${areNotEnded(moved, isOver)} AND (selection, position) NOT IN (
        SELECT selection, position FROM acted_files FINAL WHERE selection IN ${numbers(idsOf(moved))} AND state = 'failed') LIMIT 1`,
    { heavy: true },
  )
  return rows.length > 0
}

/**
 * Selections of pruned jobs that are still needed: while files of a run may be in quarantine, all that tell which; and those of jobs that put files
 * back as long as the run is known, so that no policy takes these files again.
 */
export async function neededForQuarantine({ db }: Pick<Stores, 'db'>): Promise<number[]> {
  const { rows } = await postgres<{ id: number }>`
    WITH used AS (
      SELECT id, plan -> 'request' ->> 'jobType' = ANY(${jobTypesOf('putBack')}) AS is_return,
        coalesce(plan -> 'request' -> 'payload' ->> 'ofJob', used_by::text) AS of_job
      FROM selections WHERE used_by IS NOT NULL AND plan -> 'policyId' IS NOT NULL)
    SELECT DISTINCT used.id FROM used JOIN policy_runs ON job_id::text = of_job WHERE in_quarantine OR is_return`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}
