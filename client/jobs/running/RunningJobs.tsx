import { fieldsOf } from '#events/jobs/taskResults.ts'
import type { Dashboard } from '#events/dashboard.ts'
import type { JobRow } from '#events/jobs/calls.ts'
import { jobTypeLabels } from '#events/jobs/types.ts'
import { JobStatusBadge } from '#client/parts/job-words/JobStatusBadge.tsx'
import { JobActions, type JobActionHandler } from '#client/jobs/actions/JobActions.tsx'
import { shareOfResult } from '#client/parts/job-words/jobShare.ts'
import { Panel } from '#client/ui/Panel.tsx'
import { ProgressBar } from '#client/ui/feedback/ProgressBar.tsx'
import { counted, countText } from '#client/ui/text/count.ts'
import { Elapsed } from '#client/ui/values/Elapsed.tsx'
import { Size } from '#client/ui/values/Size.tsx'
import { ScanProgress } from './ScanProgress.tsx'
import { scansOfJob } from './runningScans.ts'
import classes from './RunningJobs.module.css'

type RunningJobsProps = {
  jobs: JobRow[]
  dashboard: Dashboard | undefined
  onAction: JobActionHandler
  onOpen: (id: number) => void
}

/** Running jobs with progress, speed and current path. */
export function RunningJobs({ jobs, dashboard, onAction, onOpen }: RunningJobsProps) {
  if (jobs.length === 0) return null
  return (
    <Panel title="Running" note={counted(jobs.length, 'job')}>
      <ul className={classes.jobs}>
        {jobs.map((job) => (
          <li key={job.id} className={classes.job}>
            <RunningJob job={job} dashboard={dashboard} onAction={onAction} onOpen={onOpen} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

type RunningJobProps = Omit<RunningJobsProps, 'jobs'> & { job: JobRow }

/** Maximum number of scans shown per job; the rest is counted. */
const maxScans = 5

function RunningJob({ job, dashboard, onAction, onOpen }: RunningJobProps) {
  const { scans, waiting } = scansOfJob(dashboard, job.id)
  const more = scans.length - maxScans + waiting
  const name = `${job.id} ${jobTypeLabels[job.type]}`
  return (
    <>
      <div className={classes.line}>
        <button type="button" className={classes.name} onClick={() => onOpen(job.id)}>
          {name}
        </button>
        <JobStatusBadge status={job.status} />
        <span className={classes.agent}>{job.agentName ?? '-'}</span>
        <span className="push nowrap">{job.startedAt && <Elapsed since={job.startedAt} />}</span>
        <JobActions job={job} onAction={onAction} isTabStop />
      </div>
      {scans.slice(0, maxScans).map((running) => (
        <ScanProgress key={running.scan.scanId} {...running} />
      ))}
      {scans.length === 0 && <OtherProgress job={job} />}
      {waiting + Math.max(0, scans.length - maxScans) > 0 && (
        <p className="muted small">{`and ${counted(Math.max(waiting, more), 'more storage')}`}</p>
      )}
    </>
  )
}

function OtherProgress({ job }: { job: JobRow }) {
  const { tagged, toTag, toDo } = fieldsOf(job.result)
  return (
    <div className={classes.other}>
      <ProgressBar share={shareOfResult(job)} label={`Progress of job ${job.id}`} />
      {toTag !== undefined && (
        <span
          className={classes.agent}
        >{`${counted(tagged ?? 0, 'entry', 'entries')} of ${counted(toTag, 'entry', 'entries')}`}</span>
      )}
      {toDo !== undefined && <ActionProgress job={job} />}
    </div>
  )
}

/** Progress of an action on files, with what it waits for. */
function ActionProgress({ job }: { job: JobRow }) {
  const { toDo = 0, done = 0, failed = 0, bytesDone = 0, bytesToDo = 0, note } = fieldsOf(job.result)
  return (
    <>
      <span className={classes.agent}>
        {`${countText(done)} of ${counted(toDo, 'file')}, `}
        <Size bytes={bytesDone} /> of <Size bytes={bytesToDo} />
        {failed > 0 && `, ${countText(failed)} failed`}
      </span>
      {note && <span className={classes.agent}>{note}</span>}
    </>
  )
}
