import type { Task, TaskType } from '#events/jobs.ts'
import type { Trx } from '#server/platform/eventLog.ts'

/** What a kind of task has beside the job's events, when a user cancels, pauses or resumes it. */
export type TaskRunner = {
  /** Locks its rows of the job, which comes before the lock of the log; answers the tasks that cannot be paused now. */
  hold(trx: Trx, jobId: number): Promise<number[]>
  /** Writes in the same transaction what the new statuses mean for its rows. */
  write(trx: Trx, tasks: Task[], by: string): Promise<void>
  /** Once all is written, tells whoever works on the tasks; waits for nobody and does not fail. */
  tell(tasks: Task[]): void
}

export type TaskRunners = Record<TaskType, TaskRunner>
