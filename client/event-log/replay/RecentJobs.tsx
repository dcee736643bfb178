import { IconHistory } from '@tabler/icons-react'
import { jobs } from '#events/jobs/calls.ts'
import { streamNames } from '#events/streams.ts'
import { useRemote } from '#client/app/remote.ts'
import { jobTitle, storagesText } from '#client/parts/job-words/jobWords.ts'
import { JobStatusBadge } from '#client/parts/job-words/JobStatusBadge.tsx'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { Ago } from '#client/ui/values/Ago.tsx'
import classes from '#client/event-log/modes.module.css'

const lastJobs = { page: 1, size: 20, sort: 'id', direction: 'desc' } as const

/** The last jobs, to be replayed with one press. Other jobs and settings are typed. */
export function RecentJobs({ isLog, onChoose }: { isLog: boolean; onChoose: (stream: string) => void }) {
  const { data } = useRemote(jobs.list, isLog ? { query: lastJobs } : undefined, 'jobs')
  const rows = data?.elements ?? []
  return (
    <>
      <Notice icon={IconHistory}>Choose a job or setting to replay, such as job-42 or volume-3.</Notice>
      {rows.length > 0 && (
        <ul className={classes.recent} aria-label="Recent jobs">
          {rows.map((job) => (
            <li key={job.id}>
              <button type="button" className={classes.job} onClick={() => onChoose(streamNames.job(job.id))}>
                <span>{`Job ${job.id}`}</span>
                <span className="truncate">{[jobTitle(job), storagesText(job)].filter(Boolean).join(', ')}</span>
                <JobStatusBadge status={job.status} />
                <Ago at={job.createdAt} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
