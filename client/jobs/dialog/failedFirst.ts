import type { JobStatus, Task } from '#events/jobs/events.ts'

/** Failed tasks first, then active, then successful ones. */
const order: readonly JobStatus[] = [
  'FAILURE',
  'SCANNER_ERROR',
  'WARNING',
  'RUNNING',
  'AVAILABLE',
  'NEW',
  'WAITING',
  'CANCELLED',
  'SUCCESS',
]

export const failedFirst = (tasks: readonly Task[]): Task[] =>
  tasks.toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status) || a.id - b.id)
