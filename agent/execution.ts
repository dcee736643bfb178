import type { Connection } from './connection.ts'
import type { Systems } from './systems/index.ts'
import type { Suspects } from './watchdog/index.ts'

/**
 * Dependencies of tasks: the connection to the server, the systems, the agent's own folder, and the tasks that may hang
 * the agent. A task with a `refusal` only reports that reason and ends.
 */
export type TaskContext = {
  connection: Connection
  systems: Systems
  state: string
  /** Folders whose files actions of this agent may move, and may delete in quarantine; see `Config`. */
  mayChange?: readonly string[]
  mayDelete?: readonly string[]
  suspects?: Suspects
  refusal?: string | undefined
}

/** Abort reason: the server cancelled the task. */
export class TaskCancelled extends Error {}

/** Abort reason: the agent stops, and the task continues after its next start. */
export class AgentStopping extends Error {}

/** Ends an attempt of a task that will be retried from the queue. */
export class RetryLater extends Error {}

/**
 * One execution of a task. Its signal is aborted when the server cancels its attempt, or when the agent stops.
 * `setAttempt` records the attempt once it is known.
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
    setAttempt(attempt: number) {
      current = attempt
      check()
    },
    /** Cancels the attempts up to this one. Newer attempts were started after the cancellation. */
    cancel(upTo = Infinity) {
      cancelled = Math.max(cancelled, upTo)
      check()
    },
    stop: () => controller.abort(new AgentStopping('The agent is stopping')),
  }
}
