/**
 * The statuses of jobs and of their tasks: NEW (recorded), AVAILABLE (in the queue of its agent), WAITING (paused),
 * RUNNING; and its ends: SUCCESS, WARNING (parts are left out), SCANNER_ERROR (who worked on it died too often, stayed
 * silent or was deleted), FAILURE, CANCELLED.
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

/** What a task may become; nothing else happens to it. RUNNING follows itself when a task is taken up again. */
export const mayFollow: Record<JobStatus, readonly JobStatus[]> = {
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

/** Of jobs that are open and do not run. */
export const waitingStatuses = ['NEW', 'AVAILABLE', 'WAITING'] as const satisfies JobStatus[]
/** Of jobs that are over. */
export const endedStatuses = [
  'SUCCESS',
  'WARNING',
  'SCANNER_ERROR',
  'FAILURE',
  'CANCELLED',
] as const satisfies JobStatus[]

/** Whether a job or task can still change. */
export const isOpen = ({ status }: { status: JobStatus }): boolean => mayFollow[status].length > 0

/** What a job is, of what its tasks are: open while one of them is, and as good as the mixture of their ends. */
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
