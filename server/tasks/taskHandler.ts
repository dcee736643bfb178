import type { ChangeTopic } from '#events/changes.ts'
import type { Task } from '#events/jobs/events.ts'
import type { TaskPayloadOf, TaskResult } from '#events/jobs/payloads.ts'
import type { AgentTaskType, ServerTaskType } from '#events/jobs/types.ts'
import type { PendingPage, PendingRequest, TaskAnswer } from '#events/tasks.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'

/** What a type of task has beside the events of its job, when its tasks are cancelled, paused, resumed, lost or given up. */
type TaskState = {
  /**
   * Locks its rows of the job, which comes before the lock of the log. Answers the tasks whose runner has done its part:
   * they can be neither paused nor lost any more.
   */
  lock(trx: Trx, jobId: number): Promise<number[]>
  /** Writes in the same transaction what the new statuses mean for its rows. */
  write(trx: Trx, tasks: Task[], by: string): Promise<void>
  /** Once all is written, tells whoever works on the tasks; waits for nobody and does not fail. */
  notify(tasks: Task[]): void
}

/** How a type of task is done that agents run. */
export type AgentTaskHandler = TaskState & {
  /** What users call it, such as `scan`. */
  noun: string
  /** Begins another attempt of an open task for its agent: what the agent is to do, or why it is not to. */
  start(taskId: number, run: string): Promise<TaskAnswer>
  /** The next page of what the current attempt of an agent's task still has to do. */
  pending(agentId: number, request: PendingRequest): Promise<PendingPage>
  /** Which of these tasks their agents have still to work on, and are to be heard of. */
  unfinished(taskIds: number[]): Promise<number[]>
}

/**
 * How a type of task is done that the server itself runs, one after another, in one replica at a time. `TaskState` is for
 * those that have rows of their own.
 */
export type ServerTaskHandler<T extends ServerTaskType> = Partial<TaskState> & {
  /** The name under which it consumes the event log. */
  consumer: string
  /** What browsers read again whenever a task went on. */
  topics: ChangeTopic[]
  /**
   * Does a task from its beginning: what an earlier attempt did is not done again. `progress` is told how far it came and
   * says whether to go on; nothing is answered when it was not to. A `Problem` fails the task; anything else that is thrown
   * has it tried again.
   */
  run(payload: TaskPayloadOf<T>, progress: (reached: TaskResult) => Promise<boolean>): Promise<TaskResult | undefined>
}

/** Who does each type of task, and how. */
export type TaskHandlers = { [T in AgentTaskType]: AgentTaskHandler } & { [T in ServerTaskType]: ServerTaskHandler<T> }
