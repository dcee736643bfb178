import type { JobStatus } from '#events/jobs.ts'
import { Elapsed } from '../ui/Elapsed.tsx'
import { durationText } from '../ui/text/duration.ts'
import { jobDuration } from './jobDuration.ts'

type JobDurationProps = { job: { status: JobStatus; startedAt: string | null; updatedAt: string } }

export function JobDuration({ job }: JobDurationProps) {
  const duration = jobDuration(job)
  if (!duration) return '-'
  return 'since' in duration ? <Elapsed since={duration.since} /> : durationText(duration.took)
}
