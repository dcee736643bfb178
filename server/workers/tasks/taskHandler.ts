import type { ChangeTopic } from '#events/changes.ts'
import type { Task } from '#events/jobs/events.ts'
import type { TaskPayloadOf } from '#events/jobs/payloads.ts'
import type { TaskResultOf } from '#events/jobs/taskResults.ts'
import type { AgentTaskType, ServerTaskType } from '#events/jobs/types.ts'
import type { PendingPage, PendingRequest, TaskAnswer } from '#events/tasks.ts'
import type { StartRequest } from '#server/workers/jobs/index.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'

/**
 * Data of a task type besides the events of its job, for tasks that are cancelled, paused, resumed, lost or abandoned.
 */
type TaskState = {
  /**
   * Locks the type's rows of the job, before the lock of the log. Returns the tasks whose runner has finished its part:
   * they can no longer be paused or lost.
   */
  lock(trx: Trx, jobId: number): Promise<number[]>
  /** Updates the type's rows for the new statuses, in the same transaction. */
  write(trx: Trx, tasks: Task[], by: string): Promise<void>
  /** Notifies the runners of the tasks after the transaction; doesn't wait and doesn't fail. */
  notify(tasks: Task[]): void
}

/** Handler of a task type that agents run. */
export type AgentTaskHandler = TaskState & {
  /** Name for users, such as `scan`. */
  noun: string
  /** Starts another attempt of an open task for its agent; returns the agent's instructions, or the reason for none. */
  start(taskId: number, run: string, request: StartRequest): Promise<TaskAnswer>
  /** The next page of pending work of the current attempt of an agent's task. */
  pending(agentId: number, request: PendingRequest): Promise<PendingPage>
  /** Returns which of these tasks their agents still have to work on and report. */
  unfinished(taskIds: number[]): Promise<number[]>
}

/**
 * Handler of a task type that the server itself runs, one after another, in one replica at a time. `TaskState` is for
 * types with their own rows.
 */
export type ServerTaskHandler<T extends ServerTaskType> = Partial<TaskState> & {
  /** The name under which it consumes the event log. */
  consumer: string
  /** Topics that browsers read again after each progress of a task. */
  topics: ChangeTopic[]
  /**
   * Runs a task from its beginning, without repeating the work of earlier attempts. `progress` reports progress and
   * returns whether to continue; if not, the result is undefined. A `Problem` fails the task; any other error makes it
   * retried.
   */
  run(
    payload: TaskPayloadOf<T>,
    progress: (reached: TaskResultOf<T>) => Promise<boolean>,
  ): Promise<TaskResultOf<T> | undefined>
}

/** The handler of each task type. */
export type TaskHandlers = { [T in AgentTaskType]: AgentTaskHandler } & { [T in ServerTaskType]: ServerTaskHandler<T> }
