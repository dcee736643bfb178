import type { JobDetails } from '#events/jobs/calls.ts'
import { JobStatusBadge } from '#client/parts/job-words/JobStatusBadge.tsx'
import { hasFailed } from '#client/parts/job-words/hasFailed.ts'
import { outcomeText, reasonText } from '#client/parts/job-words/jobWords.ts'
import classes from './JobDialog.module.css'

/** Explanation of a job: what ran, on which storage, how it ended, and why. */
export function Outcome({ job }: { job: JobDetails }) {
  const reason = reasonText(job)
  return (
    <section className={classes.outcome} aria-label="Outcome">
      <p className={classes.ending}>
        <JobStatusBadge status={job.status} />
        <span>{outcomeText(job)}</span>
      </p>
      {reason && (
        <p className={classes.reason} data-bad={hasFailed(job) || undefined}>
          {reason}
        </p>
      )}
    </section>
  )
}
