import { type Job, type Task, evolveVersion } from '#events/jobs.ts'
import type { Trx } from '#server/platform/eventLog.ts'

/** Writes what the stream of a job was folded to: the job's row and a row a task. */
export async function projectJob(trx: Trx, job: Job, version: number): Promise<void> {
  const row = jobRow(job, version)
  await trx
    .insertInto('jobs')
    .values(row)
    .onConflict((on) => on.column('id').doUpdateSet(row))
    .execute()
  for (const task of job.tasks) {
    const row = taskRow(task, job.id)
    await trx
      .insertInto('tasks')
      .values(row)
      .onConflict((on) => on.column('id').doUpdateSet(row))
      .execute()
  }
}

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
