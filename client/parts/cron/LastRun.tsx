import {
  IconAlertOctagon,
  IconCircleCheck,
  IconCircleMinus,
  IconHelpCircle,
  IconMail,
  IconPlayerSkipForward,
  type Icon,
} from '@tabler/icons-react'
import { Link } from 'wouter'
import type { ScheduleRun } from '#events/schedules/calls.ts'
import { useLinks } from '#client/app/links.ts'
import { JobStatusBadge } from '#client/parts/job-words/JobStatusBadge.tsx'
import { dayText, momentText, timeText } from '#client/ui/text/moment.ts'
import { Moment } from '#client/ui/values/Moment.tsx'
import { StatusBadge, type Tone } from '#client/ui/values/StatusBadge.tsx'
import classes from './Runs.module.css'

const outcomes: Record<ScheduleRun['outcome'], { icon: Icon; tone: Tone; word: string }> = {
  started: { icon: IconCircleCheck, tone: 'good', word: 'Started' },
  notified: { icon: IconMail, tone: 'good', word: 'Notified' },
  unknown: { icon: IconHelpCircle, tone: 'attention', word: 'Not evaluated' },
  nothing: { icon: IconCircleMinus, tone: 'quiet', word: 'Nothing to do' },
  skipped: { icon: IconPlayerSkipForward, tone: 'attention', word: 'Skipped' },
  failed: { icon: IconAlertOctagon, tone: 'critical', word: 'Failed' },
}

/** The state of the email replaces the outcome, unless it was sent. */
const mailed: Partial<Record<NonNullable<ScheduleRun['mail']>['state'], { icon: Icon; tone: Tone; word: string }>> = {
  waiting: { icon: IconMail, tone: 'attention', word: 'Email waiting' },
  failed: { icon: IconAlertOctagon, tone: 'critical', word: 'Email failed' },
}

/** Start of a job that began more than a minute after it was due; its time only, if it was on the same day. */
function startedLate({ dueAt, startedAt }: ScheduleRun): string | undefined {
  if (!startedAt || Date.parse(startedAt) - Date.parse(dueAt) < 60_000) return undefined
  return dayText(startedAt) === dayText(dueAt) ? timeText(startedAt).slice(0, 'HH:mm'.length) : momentText(startedAt)
}

/** Result of the last run of a schedule: the status of its job with a link, or what became of its emails. */
export function LastRun({ run }: { run: ScheduleRun | null }) {
  const links = useLinks()
  if (!run) return <span className="muted small">Not run yet</span>
  const { icon, tone, word } = (run.mail && mailed[run.mail.state]) ?? outcomes[run.outcome]
  const reason = [run.mail?.reason, run.reason].filter(Boolean).join('. ')
  return (
    <div className={classes.run} data-live>
      <span className="row wrap gap-2-8">
        {run.jobStatus ? (
          <JobStatusBadge status={run.jobStatus} />
        ) : (
          <StatusBadge icon={icon} tone={tone}>
            {word}
          </StatusBadge>
        )}
        <span className="muted small">
          <Moment at={run.dueAt} />
          {startedLate(run) && `, started ${startedLate(run)}`}
        </span>
        {run.jobId !== null && <Link href={links.jobs(run.jobId)}>Job {run.jobId}</Link>}
      </span>
      {reason !== '' && (
        <span className="muted small break wrapping measure" title={reason}>
          {reason}
        </span>
      )}
    </div>
  )
}
