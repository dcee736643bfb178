import { Link } from 'wouter'
import { foundText } from '#events/jobs/foundText.ts'
import { isOpen } from '#events/jobs/states.ts'
import { fieldsOf, type TaskResult } from '#events/jobs/taskResults.ts'
import { useLinks } from '#client/app/links.ts'
import { useFollowedJob } from '#client/parts/followed-job/useFollowedJob.ts'
import { JobStatusBadge } from '#client/parts/job-words/JobStatusBadge.tsx'
import { Folded } from '#client/ui/Folded.tsx'
import { ReviewList } from '#client/ui/form/ReviewList.tsx'
import { counted, countText } from '#client/ui/text/count.ts'
import { Moment } from '#client/ui/values/Moment.tsx'
import { PathText } from '#client/ui/values/PathText.tsx'
import { Size } from '#client/ui/values/Size.tsx'

/** Result of a job, and the files as later scans found them. */
export function JobOutcome({ title, jobId }: { title: string; jobId: number }) {
  const links = useLinks()
  const { data: job } = useFollowedJob(jobId)
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
