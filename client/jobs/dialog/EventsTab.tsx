import { streamNames } from '#events/streams.ts'
import { Button } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { type LoggedEvent, eventLog, failureTypes } from '#events/event-log/calls.ts'
import type { JobDetails } from '#events/jobs/calls.ts'
import { useLinks } from '#client/app/links.ts'
import { useRemote } from '#client/app/remote.ts'
import { jobEventText } from '#events/jobs/jobEventText.ts'
import { Failure } from '#client/ui/feedback/Failure.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { hintText, timeText } from '#client/ui/text/moment.ts'
import { withoutDoubles } from '#client/parts/followed-job/jobHistory.ts'
import classes from './JobDialog.module.css'

const pageSize = 100

/** Events of a job, newest first. `news` are events since the dialog was opened. */
export function EventsTab({ job, news }: { job: JobDetails; news: readonly LoggedEvent[] }) {
  const stream = streamNames.job(job.id)
  const [size, show] = useState(pageSize)
  const { data, error, loading, retry } = useRemote(eventLog.list, { query: { stream, type: [], size } })
  const links = useLinks()
  if (!data) return error && !loading ? <Failure error={error} retry={retry} /> : <Skeleton rows={6} />
  const events = withoutDoubles([...data.elements, ...news])
  return (
    <div className={classes.side}>
      <ol className={classes.events}>
        {events.map((event) => (
          <EventLine key={event.version} event={event} />
        ))}
      </ol>
      <div className="flex wrap end gap-8">
        {data.next !== null && size < 1_000 && (
          <Button variant="default" loading={loading} onClick={() => show(1_000)}>
            Show older events
          </Button>
        )}
        <Button
          component={Link}
          href={links.eventLog({ mode: 'replay', stream })}
          variant="default"
          leftSection={<IconHistory size={16} stroke={1.5} aria-hidden />}
        >
          Replay
        </Button>
      </div>
    </div>
  )
}

function EventLine({ event }: { event: LoggedEvent }) {
  return (
    <li className={classes.event} data-failed={failureTypes.includes(event.type) || undefined}>
      <time className={classes.at} dateTime={event.at} title={hintText(event.at)}>
        {timeText(event.at)}
      </time>
      <span className={`break ${classes.sentence}`}>{jobEventText(event)}</span>
      <span className={classes.actor}>{event.actor}</span>
    </li>
  )
}
