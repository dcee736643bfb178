import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { foundText } from '#events/jobs/foundText.ts'
import { isOpen, type JobStatus } from '#events/jobs/states.ts'
import { fieldsOf, type TaskResult } from '#events/jobs/taskResults.ts'
import { useLinks } from '#client/app/links.ts'
import { touch } from '#client/app/live/versions.state.ts'
import { useFollowedJob } from '#client/parts/followed-job/useFollowedJob.ts'
import { JobStatusBadge } from '#client/parts/job-words/JobStatusBadge.tsx'
import { Folded } from '#client/ui/Folded.tsx'
import { ReviewList } from '#client/ui/form/ReviewList.tsx'
import { counted, countText } from '#client/ui/text/count.ts'
import { Moment } from '#client/ui/values/Moment.tsx'
import { PathText } from '#client/ui/values/PathText.tsx'
import { Size } from '#client/ui/values/Size.tsx'

/** Result of a job, and the files as later scans found them. `known` is the status that the list of runs has. */
export function JobOutcome({ title, jobId, known }: { title: string; jobId: number; known?: JobStatus | null }) {
  const links = useLinks()
  const { data: job } = useFollowedJob(jobId)
  useRunsOf(job?.status, known ?? undefined)
  return (
    <section aria-label={title}>
      <h4 className="row gap-8 strong">
        {title} {job && <JobStatusBadge status={job.status} />}
        <Link className="accent small" href={links.jobs(jobId)}>
          Job {jobId}
        </Link>
      </h4>
      {job && <Outcome result={job.result} isOver={!isOpen(job)} />}
    </section>
  )
}

/** Reads runs again when the status of a job changes: they show it, and what is in quarantine, a while before the server tells. */
function useRunsOf(status: JobStatus | undefined, known: JobStatus | undefined): void {
  const last = useRef(known)
  useEffect(() => {
    if (status !== undefined && last.current !== undefined && status !== last.current) touch('policies')
    last.current = status ?? last.current
  }, [status])
}

function Outcome({ result, isOver }: { result: TaskResult | null; isOver: boolean }) {
  const { toDo = 0, done = 0, bytesDone = 0, failed = 0, failedPaths = [], found, reason } = fieldsOf(result)
  const amount = (
    <>
      {`${countText(done)} of ${counted(toDo, 'file')}, `}
      <Size bytes={bytesDone} />
    </>
  )
  const verified = found ? (
    <>
      {foundText(found)}. <Moment at={found.at} />
    </>
  ) : (
    `The next scan${isOver ? '' : ' after the job'} checks the files`
  )
  return (
    <>
      {reason && <p className="critical">{reason}</p>}
      <ReviewList
        rows={[
          ['Done', amount],
          ['Verified by a scan', verified],
        ]}
      />
      {failedPaths.length > 0 && (
        <Folded summary={`Not done: ${counted(failed, 'file')}`} isSet isInvalid={false}>
          <ul className="stack gap-8">
            {failedPaths.map(({ path, reason }) => (
              <li key={path}>
                <PathText path={path} />
                <span className="muted small">{reason}</span>
              </li>
            ))}
          </ul>
        </Folded>
      )}
    </>
  )
}
