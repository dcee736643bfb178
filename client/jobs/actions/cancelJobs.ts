import { type cancellableStates, jobs } from '#events/jobs/calls.ts'
import { CallError, call } from '#client/app/call.ts'

export type CancellableStatus = (typeof cancellableStates)[number]
type Toast = { kind: 'success' | 'warning' | 'danger'; message: string }
/** Result by status: an error, or nothing. */
type Outcomes = Partial<Record<CancellableStatus, { error?: Error }>>

/** Cancels all jobs of these statuses, one status after another, and returns a toast with the result. */
export async function cancelJobs(states: readonly CancellableStatus[]): Promise<Toast> {
  const outcomes: Outcomes = {}
  for (const status of states) {
    const failed = (error: Error) => ({ error })
    outcomes[status] = await call(jobs.cancelAll, { query: { status } }).then(() => ({}), failed)
  }
  return toastOf(outcomes)
}

const messages = {
  WAITING: { done: 'Waiting jobs were cancelled successfully', failed: 'Error while cancelling waiting jobs' },
  RUNNING: { done: 'Running jobs were cancelled successfully.', failed: 'Error while cancelling running jobs' },
} as const

export function toastOf({ WAITING: waiting, RUNNING: running }: Outcomes): Toast {
  if (!waiting || !running) return toastOfOne(running ? 'RUNNING' : 'WAITING', (running ?? waiting)?.error)
  const { error } = running
  if (!waiting.error && !error) return { kind: 'success', message: 'All the jobs were cancelled successfully.' }
  if (!waiting.error) {
    const message = 'Error while cancelling the running jobs. The waiting jobs were cancelled successfully'
    return { kind: 'warning', message }
  }
  if (!error)
    return { kind: 'warning', message: `${messages.WAITING.failed}. The running jobs were cancelled successfully` }
  return { kind: 'danger', message: serverMessage(error) ?? jobs.cancelAll.failure }
}

function toastOfOne(state: CancellableStatus, error: Error | undefined): Toast {
  if (!error) return { kind: 'success', message: messages[state].done }
  return { kind: 'danger', message: serverMessage(error) ?? messages[state].failed }
}

/** Message of the server; undefined if it gave none. */
const serverMessage = (error: Error) =>
  error instanceof CallError && error.message !== jobs.cancelAll.failure ? error.message : undefined
