import type { JobStatus } from '#events/jobs/events.ts'
import { durationText } from '#client/ui/text/duration.ts'
import { Elapsed } from '#client/ui/values/Elapsed.tsx'

type JobDurationProps = { job: { status: JobStatus; startedAt: string | null; updatedAt: string } }

export function JobDuration({ job }: JobDurationProps) {
  const duration = jobDuration(job)
  if (!duration) return '-'
  return 'since' in duration ? <Elapsed since={duration.since} /> : durationText(duration.took)
}

type TimedJob = { status: JobStatus; startedAt: string | null; updatedAt: string }

/**
 * Duration of a job or task in milliseconds: still counting while it is new or running, else fixed; undefined if it
 * never started.
 */
export function jobDuration({
  status,
  startedAt,
  updatedAt,
}: TimedJob): { since: string } | { took: number } | undefined {
  if (startedAt === null) return undefined
  if (status === 'NEW' || status === 'RUNNING') return { since: startedAt }
  return { took: Math.max(0, Date.parse(updatedAt) - Date.parse(startedAt)) }
}
