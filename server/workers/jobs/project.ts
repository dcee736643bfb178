import { sql } from 'kysely'
import { type Job, type Task, evolveVersion } from '#events/jobs/events.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'

/** A job folded from its stream, and the stream's version. */
export type FoldedJob = { job: Job; version: number }

/** Rows of one statement: each has at most 13 parameters, and Postgres accepts 65,535. */
const rowsAtOnce = 1_000

/** Writes a folded job: its row, and the rows of the tasks that changed. */
export async function projectJob(trx: Trx, { job, version }: FoldedJob, before?: Job): Promise<void> {
  await writeJobs(trx, [jobRow({ job, version })])
  // An event keeps the objects it doesn't change.
  const known = new Set(before?.tasks)
  await writeTasks(
    trx,
    job.tasks.filter((task) => !known.has(task)).map((task) => taskRow(task, job.id)),
  )
}

/** Same for several jobs, with all tasks. */
export async function projectJobs(trx: Trx, folded: FoldedJob[]): Promise<void> {
  await writeJobs(trx, folded.map(jobRow))
  await writeTasks(
    trx,
    folded.flatMap(({ job }) => job.tasks.map((task) => taskRow(task, job.id))),
  )
}

type JobRow = ReturnType<typeof jobRow>
type TaskRow = ReturnType<typeof taskRow>

async function writeJobs(trx: Trx, rows: JobRow[]): Promise<void> {
  for (const some of inPieces(rows))
    await trx
      .insertInto('jobs')
      .values(some)
      .onConflict((on) => on.column('id').doUpdateSet(asInserted(some)))
      .execute()
}

async function writeTasks(trx: Trx, rows: TaskRow[]): Promise<void> {
  for (const some of inPieces(rows))
    await trx
      .insertInto('tasks')
      .values(some)
      .onConflict((on) => on.column('id').doUpdateSet(asInserted(some)))
      .execute()
}

/** Sets every column to the value of the row that could not be inserted. */
const asInserted = ([first = {}]: object[]) =>
  Object.fromEntries(Object.keys(first).map((column) => [column, sql.ref(`excluded.${column}`)]))

const inPieces = <T>(rows: T[]): T[][] =>
  Array.from({ length: Math.ceil(rows.length / rowsAtOnce) }, (_, i) =>
    rows.slice(i * rowsAtOnce, (i + 1) * rowsAtOnce),
  )

const jobRow = ({ job: { tasks: _, ...job }, version }: FoldedJob) => ({
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
