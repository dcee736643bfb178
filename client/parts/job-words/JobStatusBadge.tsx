import {
  IconAlertOctagon,
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconHourglass,
  IconPlayerPause,
  IconProgress,
  type Icon,
} from '@tabler/icons-react'
import type { JobStatus } from '#events/jobs/events.ts'
import { StatusBadge, type Tone } from '#client/ui/values/StatusBadge.tsx'

const jobStatusLooks: Record<JobStatus, { icon: Icon; tone: Tone; word: string }> = {
  NEW: { icon: IconCircleDashed, tone: 'quiet', word: 'New' },
  AVAILABLE: { icon: IconHourglass, tone: 'quiet', word: 'Available' },
  WAITING: { icon: IconPlayerPause, tone: 'quiet', word: 'Waiting' },
  RUNNING: { icon: IconProgress, tone: 'ok', word: 'Running' },
  SUCCESS: { icon: IconCircleCheck, tone: 'good', word: 'Success' },
  WARNING: { icon: IconAlertTriangle, tone: 'attention', word: 'Warning' },
  SCANNER_ERROR: { icon: IconAlertOctagon, tone: 'critical', word: 'Scanner error' },
  FAILURE: { icon: IconAlertOctagon, tone: 'critical', word: 'Failure' },
  CANCELLED: { icon: IconCircleX, tone: 'faint', word: 'Cancelled' },
}

/** Names of the statuses. */
export const jobStatusWords = Object.fromEntries(
  Object.entries(jobStatusLooks).map(([status, { word }]) => [status, word]),
) as Record<JobStatus, string>

export function JobStatusBadge({ status }: { status: JobStatus }) {
  const { icon, tone, word } = jobStatusLooks[status]
  return (
    <StatusBadge icon={icon} tone={tone}>
      {word}
    </StatusBadge>
  )
}
