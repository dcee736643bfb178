/**
 * Statuses of jobs and tasks. Open: NEW (recorded), AVAILABLE (in the queue of its agent), WAITING (paused), RUNNING.
 * Final: SUCCESS, WARNING (parts are left out), SCANNER_ERROR (the worker failed too often, stopped responding or was
 * deleted), FAILURE, CANCELLED.
 */
export const jobStatuses = [
  'NEW',
  'AVAILABLE',
  'WAITING',
  'WARNING',
  'RUNNING',
  'SUCCESS',
  'SCANNER_ERROR',
  'FAILURE',
  'CANCELLED',
] as const
export type JobStatus = (typeof jobStatuses)[number]

/** Allowed status transitions of a task. RUNNING follows itself when a task is started again. */
export const nextStatuses: Record<JobStatus, readonly JobStatus[]> = {
  NEW: ['AVAILABLE', 'WAITING', 'RUNNING', 'SCANNER_ERROR', 'FAILURE', 'CANCELLED'],
  AVAILABLE: ['WAITING', 'RUNNING', 'SCANNER_ERROR', 'FAILURE', 'CANCELLED'],
  WAITING: ['AVAILABLE', 'SCANNER_ERROR', 'FAILURE', 'CANCELLED'],
  RUNNING: ['RUNNING', 'AVAILABLE', 'WAITING', 'SUCCESS', 'WARNING', 'SCANNER_ERROR', 'FAILURE', 'CANCELLED'],
  SUCCESS: [],
  WARNING: [],
  SCANNER_ERROR: [],
  FAILURE: [],
  CANCELLED: [],
}

/** Statuses of open jobs that are not running. */
export const waitingStatuses = ['NEW', 'AVAILABLE', 'WAITING'] as const satisfies JobStatus[]
/** Statuses of finished jobs. */
export const endedStatuses = [
  'SUCCESS',
  'WARNING',
  'SCANNER_ERROR',
  'FAILURE',
  'CANCELLED',
] as const satisfies JobStatus[]

export const isOpen = ({ status }: { status: JobStatus }): boolean => nextStatuses[status].length > 0

/** Status of a job from those of its tasks: open while one of them is open, otherwise a summary of how they ended. */
export function statusOf(tasks: readonly { status: JobStatus }[]): JobStatus {
  const are = new Set(tasks.map(({ status }) => status))
  const [only = 'NEW'] = are
  if (are.size <= 1) return only
  if (are.has('RUNNING')) return 'RUNNING'
  if (are.has('AVAILABLE') || are.has('NEW')) return 'AVAILABLE'
  if (are.has('WAITING')) return 'WAITING'
  if (are.has('CANCELLED')) return 'CANCELLED'
  return are.has('SUCCESS') || are.has('WARNING') ? 'WARNING' : 'FAILURE'
}
