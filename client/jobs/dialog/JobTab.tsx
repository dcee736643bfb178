import { Button } from '@mantine/core'
import { Link } from 'wouter'
import { failureTypes } from '#events/event-log/calls.ts'
import type { JobDetails } from '#events/jobs/calls.ts'
import { fieldsOf } from '#events/jobs/taskResults.ts'
import { jobTypeLabels } from '#events/jobs/types.ts'
import { streamNames } from '#events/streams.ts'
import { useLinks } from '#client/app/links.ts'
import { RoleGuard } from '#client/app/shell/RoleGuard.tsx'
import { JobDuration } from '#client/jobs/JobDuration.tsx'
import { JobStatusBadge } from '#client/parts/job-words/JobStatusBadge.tsx'
import { hasFailed } from '#client/parts/job-words/hasFailed.ts'
import { outcomeText, reasonText } from '#client/parts/job-words/jobWords.ts'
import { type JobActionHandler, actionsOf } from '#client/jobs/actions/JobActions.tsx'
import { JsonPane } from '#client/ui/values/JsonPane.tsx'
import { Moment } from '#client/ui/values/Moment.tsx'
import { ActionFacts, FoundFacts, Fact, FailedFiles } from './JobFacts.tsx'
import { ScannedStorages } from './ScannedStorages.tsx'
import { TechnicalDetails } from './TechnicalDetails.tsx'
import classes from './JobDialog.module.css'

type JobTabProps = { job: JobDetails; onAction: JobActionHandler; onTask: (taskId: number) => void }

/** Explanation, storages, details and actions of a job. */
export function JobTab({ job, onAction, onTask }: JobTabProps) {
  const agent = job.agentName === null ? '-' : `${job.serverId} - ${job.agentName}`
  const { note } = fieldsOf(job.result)
  const possible = onAction ? actionsOf(job) : []
  return (
    <div className={classes.side}>
      <Outcome job={job} />
      <ScannedStorages job={job} onOpen={onTask} />
      <dl className={classes.facts}>
        <Fact label="Id">{job.id}</Fact>
        <Fact label="Type">{jobTypeLabels[job.type]}</Fact>
        <Fact label="Status">
          <JobStatusBadge status={job.status} />
        </Fact>
        <Fact label="Agent Name">{agent}</Fact>
        <Fact label="Created">
          <Moment at={job.createdAt} />
        </Fact>
        <Fact label="Initiated">{job.startedAt === null ? '-' : <Moment at={job.startedAt} />}</Fact>
        <Fact label="Updated">
          <Moment at={job.updatedAt} />
        </Fact>
        <Fact label="Duration">
          <JobDuration job={job} />
        </Fact>
        <ActionFacts result={job.result} />
        <FoundFacts type={job.type} result={job.result} />
        {note && <Fact label="Note">{note}</Fact>}
      </dl>
      <FailedFiles result={job.result} />
      {possible.length > 0 && (
        <div className="flex wrap end gap-8">
          {possible.map(({ action, verb, icon: Sign }) => (
            <Button
              key={action}
              variant="default"
              leftSection={<Sign size={16} stroke={1.5} aria-hidden />}
              onClick={() => onAction?.(action, job)}
            >
              {`${verb} job`}
            </Button>
          ))}
        </div>
      )}
      <TechnicalDetails>
        <JsonPane title="Result" name={`the result of job ${job.id}`} value={job.result} />
      </TechnicalDetails>
    </div>
  )
}

/** Explanation of a job: what ran, on which storage, how it ended, and why. */
function Outcome({ job }: { job: JobDetails }) {
  const reason = reasonText(job)
  const links = useLinks()
  return (
    <section className={classes.outcome} aria-label="Outcome">
      <p className="heading row wrap break gap-4-12">
        <JobStatusBadge status={job.status} />
        <span>{outcomeText(job)}</span>
      </p>
      {reason && (
        <p className={classes.reason} data-bad={hasFailed(job) || undefined}>
          {reason}
        </p>
      )}
      {hasFailed(job) && (
        <RoleGuard needs="events.see">
          <Link href={links.eventLog({ stream: streamNames.job(job.id), type: failureTypes })} className={classes.link}>
            Show each failure in the event log
          </Link>
        </RoleGuard>
      )}
    </section>
  )
}
