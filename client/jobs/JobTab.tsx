import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import type { JobDetails } from '#events/job-calls.ts'
import { jobTypeLabels } from '#events/job-types.ts'
import { JsonPane } from '../ui/JsonPane.tsx'
import { LongMoment } from '../ui/LongMoment.tsx'
import { type JobDeeds, deedsOf } from './JobActions.tsx'
import { JobDuration } from './JobDuration.tsx'
import { JobStatusBadge } from './JobStatusBadge.tsx'
import classes from './JobDialog.module.css'

/** What a job is, what came of it, and what can be done to it. */
export function JobTab({ job, deeds }: { job: JobDetails; deeds: JobDeeds }) {
  const agent = job.agentName === null ? '-' : `${job.serverId} - ${job.agentName}`
  const possible = deeds ? deedsOf(job) : []
  return (
    <div className={classes.side}>
      <dl className={classes.facts}>
        <Fact label="Id">{job.id}</Fact>
        <Fact label="Type">{jobTypeLabels[job.type]}</Fact>
        <Fact label="Status">
          <JobStatusBadge status={job.status} />
        </Fact>
        <Fact label="Agent Name">{agent}</Fact>
        <Fact label="Created">
          <LongMoment at={job.createdAt} />
        </Fact>
        <Fact label="Initiated">
          <LongMoment at={job.startedAt} />
        </Fact>
        <Fact label="Updated">
          <LongMoment at={job.updatedAt} />
        </Fact>
        <Fact label="Duration">
          <JobDuration job={job} />
        </Fact>
      </dl>
      <JsonPane title="Result" name={`the result of job ${job.id}`} value={job.result} />
      {possible.length > 0 && (
        <div className={classes.deeds}>
          {possible.map(({ deed, verb, icon: Sign }) => (
            <Button
              key={deed}
              variant="default"
              leftSection={<Sign size={16} stroke={1.5} aria-hidden />}
              onClick={() => deeds?.(deed, job)}
            >
              {`${verb} job`}
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
