import { sql } from 'kysely'
import { type Job, type Task, evolveVersion } from '#events/jobs.ts'
import type { Trx } from '#server/platform/eventLog.ts'

/** A job as its stream was folded up to a version. */
export type FoldedJob = { job: Job; version: number }

/** What a job was and became by what was appended to its stream, and the version of that. */
type ChangedJob = { before: Job | undefined; after: Job; version: number }

/** Writes what became of a job: its row, and those of the tasks that changed. */
export async function projectJob(trx: Trx, { before, after, version }: ChangedJob): Promise<void> {
  // `evolve` keeps the tasks that an event does not change.
  const unchanged = new Set(before?.tasks)
  const tasks = after.tasks.filter((task) => !unchanged.has(task))
  await projectJobs(trx, [{ job: { ...after, tasks }, version }])
}

/** Writes what the streams of jobs were folded to: a row a job and a row a task. */
export async function projectJobs(trx: Trx, folded: FoldedJob[]): Promise<void> {
  for (const rows of inParts(folded.map(({ job, version }) => jobRow(job, version)))) {
    await trx
      .insertInto('jobs')
      .values(rows)
      .onConflict((on) => on.column('id').doUpdateSet(asInserted(rows)))
      .execute()
  }
  for (const rows of inParts(folded.flatMap(({ job }) => job.tasks.map((task) => taskRow(task, job.id))))) {
    await trx
      .insertInto('tasks')
      .values(rows)
      .onConflict((on) => on.column('id').doUpdateSet(asInserted(rows)))
      .execute()
  }
}

/** A statement has room for 65,535 values. */
const rowsOfStatement = 1_000

const inParts = <T>(rows: T[]): T[][] =>
  Array.from({ length: Math.ceil(rows.length / rowsOfStatement) }, (_, part) =>
    rows.slice(part * rowsOfStatement, (part + 1) * rowsOfStatement),
  )

/** Each column of a row that is there already becomes what was to be inserted. */
const asInserted = ([row = {}]: object[]) =>
  Object.fromEntries(Object.keys(row).map((column) => [column, sql.ref(`excluded.${column}`)]))

const jobRow = ({ tasks: _, ...job }: Job, version: number) => ({
  ...job,
  version,
  evolveVersion,
  payload: JSON.stringify(job.payload),
  result: job.result && JSON.stringify(job.result),
})

const taskRow = (task: Task, jobId: number) => ({
  ...task,
  jobId,
  payload: JSON.stringify(task.payload),
  result: task.result && JSON.stringify(task.result),
})
