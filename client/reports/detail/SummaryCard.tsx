import { Link } from 'wouter'
import { type Report, reportTypeLabels } from '#events/reports/templates.ts'
import { useLinks } from '#client/app/links.ts'
import { JobStatusBadge } from '#client/parts/job-words/JobStatusBadge.tsx'
import { TagList } from '#client/parts/tags/TagList.tsx'
import { RunDuration } from '#client/reports/RunState.tsx'
import { useJobNow } from '#client/reports/useJobNow.ts'
import { Card } from '#client/ui/Card.tsx'
import { ProgressBar } from '#client/ui/feedback/ProgressBar.tsx'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { counted } from '#client/ui/text/count.ts'
import { momentText } from '#client/ui/text/moment.ts'
import { type DrawnFact, Facts } from '#client/ui/values/Facts.tsx'
import classes from './Report.module.css'

/** Description of a report and state of its last run. */
export function SummaryCard({ report, remote }: { report: Report; remote: Loadable<Report> }) {
  const links = useLinks()
  const { job, share } = useJobNow(report.jobs[0])
  return (
    <Card
      title="Report Details"
      remote={{ ...remote, data: report }}
      actions={
        job && (
          <Link className="accent strong" href={links.jobs(job.id)}>
            {`Job ${job.id}`}
          </Link>
        )
      }
    >
      {(report) => (
        <div className={classes.summary}>
          {job?.status === 'RUNNING' && (
            <div className="inset-8">
              <ProgressBar share={share} label="Progress of the report" />
            </div>
          )}
          <Facts
            facts={[
              {
                name: 'Execution status',
                text: job ? <JobStatusBadge status={job.status} /> : 'No recent job',
              },
              { name: 'Duration', text: <RunDuration job={job} /> },
              ...factsOf(report),
            ]}
          />
        </div>
      )}
    </Card>
  )
}

const factsOf = (report: Report): DrawnFact[] => {
  const { type, retention, tags, createdBy, lastExecutionDate, indexingDate, nextRuns, schedule } = report
  return [
    { name: 'Type', text: reportTypeLabels[type] },
    { name: 'Last run', text: lastExecutionDate ? momentText(lastExecutionDate) : 'Never' },
    { name: 'Snapshot', text: indexingDate ?? '-' },
    { name: 'Next run', text: schedule?.paused ? 'Paused' : nextRuns[0] ? momentText(nextRuns[0]) : 'When launched' },
    { name: 'Retention', text: counted(retention, 'day') },
    { name: 'Tags', text: tags.length > 0 ? <TagList tags={tags} /> : 'None' },
    { name: 'Created by', text: createdBy },
  ]
}
