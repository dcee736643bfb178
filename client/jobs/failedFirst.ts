import type { JobStatus, Task } from '#events/jobs.ts'

/** What went wrong stands before what goes on, and that before what went well. */
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
