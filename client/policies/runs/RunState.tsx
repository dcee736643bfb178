import { IconCircleMinus, IconCircleX, IconHourglass, IconPlayerPlay, type Icon } from '@tabler/icons-react'
import type { PolicyRun, RunState as State } from '#events/policies/runs.ts'
import { JobStatusBadge } from '#client/parts/job-words/JobStatusBadge.tsx'
import { StatusBadge, type Tone } from '#client/ui/values/StatusBadge.tsx'

const looks: Record<State, { icon: Icon; tone: Tone; word: string }> = {
  waiting: { icon: IconHourglass, tone: 'attention', word: 'Waiting for approval' },
  started: { icon: IconPlayerPlay, tone: 'ok', word: 'Started' },
  nothing: { icon: IconCircleMinus, tone: 'quiet', word: 'Nothing done' },
  declined: { icon: IconCircleX, tone: 'faint', word: 'Declined' },
  expired: { icon: IconCircleX, tone: 'faint', word: 'Expired' },
}

/** State of a run: that of its job once it has one. */
export function RunState({ run: { state, jobStatus } }: { run: Pick<PolicyRun, 'state' | 'jobStatus'> }) {
  if (state === 'started' && jobStatus) return <JobStatusBadge status={jobStatus} />
  const { icon, tone, word } = looks[state]
  return (
    <StatusBadge icon={icon} tone={tone}>
      {word}
    </StatusBadge>
  )
}
