import type { ListedReport, ReportJob } from '#events/reports/templates.ts'
import { JobStatusBadge } from '#client/parts/job-words/JobStatusBadge.tsx'
import { ProgressBar } from '#client/ui/feedback/ProgressBar.tsx'
import { percentText } from '#client/ui/text/count.ts'
import { durationText } from '#client/ui/text/duration.ts'
import { Elapsed } from '#client/ui/values/Elapsed.tsx'
import { Moment } from '#client/ui/values/Moment.tsx'
import { isUnderWay, useJobNow } from './useJobNow.ts'
import classes from './Reports.module.css'

/** Time of the last run, or progress while it runs. */
export function LastRun({ report }: { report: ListedReport }) {
  const { job, share } = useJobNow(report.jobs[0])
  if (job && isUnderWay(job)) return <RunProgress job={job} share={share} />
  const hasEndedBadly = job?.status === 'FAILURE' || job?.status === 'CANCELLED'
  return (
    <span className="inline-flex gap-12">
      {report.lastExecutionDate ? <Moment at={report.lastExecutionDate} /> : !hasEndedBadly && 'Never'}
      {hasEndedBadly && <JobStatusBadge status={job.status} />}
    </span>
  )
}

type RunProgressProps = { job: ReportJob; share: number | undefined }

function RunProgress({ job, share }: RunProgressProps) {
  return (
    <span className={classes.progress}>
      <JobStatusBadge status={job.status} />
      {job.status === 'RUNNING' && <ProgressBar share={share} label="Progress of the report" />}
      {share !== undefined && <span>{percentText(share)}</span>}
    </span>
  )
}

/** Duration of a run, still counting while it runs; a dash if it never ran or was cancelled. */
export function RunDuration({ job }: { job: ReportJob | undefined }) {
  if (!job || job.startedAt === null) return '-'
  if (job.status === 'RUNNING') return <Elapsed since={job.startedAt} />
  if (!['SUCCESS', 'FAILURE', 'WARNING'].includes(job.status)) return '-'
  return durationText(Math.max(0, Date.parse(job.updatedAt) - Date.parse(job.startedAt)))
}
