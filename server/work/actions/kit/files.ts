import { type FileOutcome, type FilesRequest, maxFilesPerPage, type PlannedFile } from '#events/actions/files.ts'
import { maxFailedPaths } from '#events/jobs/taskResults.ts'
import { escape } from '#server/platform/clickhouse/checkRows.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import type { Platform } from '#server/platform/platform.ts'
import { withFullPaths } from '#server/questions/selections/index.ts'

/** The files of a task: a part of a selection. */
export type FilesOfTask = { selection: number; part: number }

type Stores = Pick<Platform, 'db' | 'clickhouse'>

const columns = ['selection', 'position', 'state', 'reference', 'reason', 'version']

/** Rank of a report of an attempt among all reports of a task; a later one wins. */
const versionOf = (attempt: number, sequence: number): bigint => BigInt(attempt) * 2n ** 32n + BigInt(sequence)

type Report = { taskId: number; attempt: number; sequence: number; outcomes: readonly FileOutcome[] }

/** Stores states of files; a repeated report changes nothing. */
export async function storeOutcomes(
  clickhouse: ClickHouse,
  { selection }: FilesOfTask,
  { taskId, attempt, sequence, outcomes }: Report,
): Promise<void> {
  const version = versionOf(attempt, sequence)
  const lines = outcomes.map(({ position, state, reference, reason }) =>
    [selection, position, state, escape(reference), escape(reason), version].join('\t'),
  )
  if (lines.length === 0) return
  const rows = Buffer.from(`${lines.join('\n')}\n`)
  await clickhouse.insert('acted_files', columns, rows, `acted-${taskId}-${attempt}-${sequence}`)
}

const statesOf = ({ selection }: FilesOfTask): Sql => sql`acted_files FINAL WHERE selection = ${selection}`

/** Condition: a row of `selected_entries` is a file of the task. */
const isOfTask = ({ selection, part }: FilesOfTask): Sql =>
  sql`selection = ${selection} AND part = ${part} AND left_out = ''`

/** The files that a task is done with, for use in a FROM; of those that a condition selects. */
export const doneFiles = (task: FilesOfTask, only: Sql = sql`1`): Sql => sql`
  SELECT position, volume, parent_path, name, size, modified, place FROM selected_entries
  WHERE ${isOfTask(task)} AND ${only} AND position IN (SELECT position FROM ${statesOf(task)} AND state = 'done')`

/** Files of a task that failed or were never sent, by position. */
export const unfinishedFiles = (
  clickhouse: ClickHouse,
  task: FilesOfTask,
  limit: number,
): Promise<{ volumeId: number; path: string }[]> =>
  clickhouse.rows(sql`
    SELECT volume AS volumeId, concat(parent_path, name) AS path FROM selected_entries
    WHERE ${isOfTask(task)} AND position NOT IN (SELECT position FROM ${statesOf(task)} AND state IN ('done', 'sent'))
    ORDER BY position LIMIT ${limit}`)

type Row = Omit<PlannedFile, 'pathInStorage'> & { volumeId: number }

/** The next files of a task in a state, by position. */
export async function filesOf(
  { db, clickhouse }: Stores,
  task: FilesOfTask,
  { state, after, byInode }: Pick<FilesRequest, 'state' | 'after'> & { byInode?: true | undefined },
): Promise<PlannedFile[]> {
  const isInState =
    state === 'planned'
      ? sql`position NOT IN (SELECT position FROM ${statesOf(task)} AND state != 'planned')`
      : sql`position IN (SELECT position FROM ${statesOf(task)} AND state = 'sent')`
  const rows = await clickhouse.rows<Row>(sql`
    SELECT files.position AS position, volume AS volumeId, path, place, size, modified, states.reference AS reference${byInode ? sql`, inode, links` : sql``}
    FROM (
      SELECT position, volume, concat(parent_path, name) AS path, place, greatest(size, 0) AS size, toUnixTimestamp(modified) AS modified,
        toString(inode) AS inode, links
      FROM selected_entries WHERE ${isOfTask(task)} AND position > ${after} AND ${isInState}
      ORDER BY position LIMIT ${maxFilesPerPage}) AS files
    LEFT JOIN (SELECT position, reference FROM ${statesOf(task)} AND state = 'sent') AS states ON states.position = files.position
    ORDER BY position`)
  const [files, crossing] = await Promise.all([withFullPaths(db, rows), crossingVolumes(db)])
  return files.map(({ volumeId, path: pathInStorage, fullPath: path, ...file }) => ({
    ...file,
    path,
    pathInStorage,
    ...(crossing.has(volumeId) && { crossesFileSystems: true }),
  }))
}

/** Storages that include file systems mounted below their roots. */
async function crossingVolumes(db: Platform['db']): Promise<Set<number>> {
  const rows = await db.selectFrom('volumes').select('id').where('crossFileSystems', '=', true).execute()
  return new Set(rows.map(({ id }) => id))
}

/** Files and bytes of a task that are done, and number of those that failed, or have no final state. */
export type TaskCounts = { done: number; bytesDone: number; failed: number; open: number }

export const countFiles = ({ clickhouse }: Stores, task: FilesOfTask): Promise<TaskCounts> =>
  clickhouse.one<TaskCounts>(
    sql`
      SELECT countIf(state = 'done') AS done, sumIf(toFloat64(greatest(size, 0)), state = 'done') AS bytesDone, countIf(state = 'failed') AS failed,
        countIf(state NOT IN ('done', 'failed')) AS open
      FROM (SELECT position, size FROM selected_entries WHERE ${isOfTask(task)}) AS files
      LEFT JOIN (SELECT position, state FROM ${statesOf(task)}) AS states ON states.position = files.position`,
    { heavy: true },
  )

/** The first failed files of a task with their reasons. */
export async function failedFiles(
  { db, clickhouse }: Stores,
  task: FilesOfTask,
): Promise<{ path: string; reason: string }[]> {
  const rows = await clickhouse.rows<{ volumeId: number; path: string; reason: string }>(sql`
    SELECT volume AS volumeId, files.path AS path, states.reason AS reason
    FROM (SELECT position, volume, concat(parent_path, name) AS path FROM selected_entries WHERE ${isOfTask(task)}) AS files
    INNER JOIN (SELECT position, reason FROM ${statesOf(task)} AND state = 'failed') AS states ON states.position = files.position
    ORDER BY files.position LIMIT ${maxFailedPaths}`)
  return (await withFullPaths(db, rows)).map(({ fullPath: path, reason }) => ({ path, reason }))
}
