import type { Connection } from './connection.ts'
import type { Systems } from './systems/index.ts'

/** What tasks are run with: the connection to the server, the systems that this agent can reach, and the folder that is its own. */
export type TaskContext = { connection: Connection; systems: Systems; state: string }

/** Why a task's signal is aborted: the server cancelled it. */
export class TaskCancelled extends Error {}

/** Why a task's signal is aborted: the agent stops, and the task is left to its next start. */
export class AgentStopping extends Error {}

/** Ends a try of a task that is to come again from the queue. */
export class RetryLater extends Error {}

/**
 * One execution of a task: its signal is aborted when the server cancels the attempt that it makes, or when the agent
 * stops. `attemptIs` notes that attempt as soon as it is known.
 */
export type Execution = ReturnType<typeof newExecution>

export function newExecution() {
  const controller = new AbortController()
  let current: number | undefined
  let cancelled = 0
  const check = () => {
    if ((current ?? Infinity) <= cancelled) controller.abort(new TaskCancelled('The task was cancelled'))
  }
  return {
    signal: controller.signal,
    attemptIs(attempt: number) {
      current = attempt
      check()
    },
    /** Cancels the attempts up to this one: a newer one was ordered after the server had said so. */
    cancel(upTo = Infinity) {
      cancelled = Math.max(cancelled, upTo)
      check()
    },
    stop: () => controller.abort(new AgentStopping('The agent is stopping')),
  }
}
