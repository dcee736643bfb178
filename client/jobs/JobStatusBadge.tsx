import type { JobStatus } from '#events/jobs.ts'
import { StatusBadge } from '../ui/StatusBadge.tsx'
import { jobStatusLooks } from './jobStatuses.ts'

export function JobStatusBadge({ status }: { status: JobStatus }) {
  const { icon, tone, word } = jobStatusLooks[status]
  return (
    <StatusBadge icon={icon} tone={tone}>
      {word}
    </StatusBadge>
  )
}
