import type { JobStatus } from '#events/jobs.ts'

type Timed = { status: JobStatus; startedAt: string | null; updatedAt: string }

/**
 * How long a job or task took, in milliseconds: since a moment while it is new or running, fixed once it is not; nothing
 * when it never started.
 */
export function jobDuration({ status, startedAt, updatedAt }: Timed): { since: string } | { took: number } | undefined {
  if (startedAt === null) return undefined
  if (status === 'NEW' || status === 'RUNNING') return { since: startedAt }
  return { took: Math.max(0, Date.parse(updatedAt) - Date.parse(startedAt)) }
}
