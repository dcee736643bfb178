import { Button } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { type LoggedEvent, eventLog, failureTypes } from '#events/event-log.ts'
import type { JobDetails } from '#events/job-calls.ts'
import { useLinks } from '../app/links.ts'
import { useRemote } from '../app/remote.ts'
import { Failure } from '../ui/Failure.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { longMomentText, timeText } from '../ui/text/moment.ts'
import { jobEventText } from '../parts/job-words/jobEventText.ts'
import { withoutDoubles } from './jobHistory.ts'
import classes from './JobDialog.module.css'

const pageSize = 100

/** What happened to a job, the newest first; `news` came since it is looked at. */
export function EventsTab({ job, news }: { job: JobDetails; news: readonly LoggedEvent[] }) {
  const stream = `job-${job.id}`
  const [size, show] = useState(pageSize)
  const { data, error, loading, retry } = useRemote(eventLog.list, { query: { stream, type: [], size } })
  const links = useLinks()
  if (!data) return error && !loading ? <Failure error={error} retry={retry} /> : <Skeleton rows={6} />
  const events = withoutDoubles([...data.elements, ...news])
  return (
    <div className={classes.side}>
      <ol className={classes.events}>
        {events.map((event) => (
          <Happened key={event.version} event={event} />
        ))}
      </ol>
      <div className={classes.deeds}>
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

function Happened({ event }: { event: LoggedEvent }) {
  return (
    <li className={classes.event} data-failed={failureTypes.includes(event.type) || undefined}>
      <time className={classes.at} dateTime={event.at} title={longMomentText(event.at)}>
        {timeText(event.at)}
      </time>
      <span className={classes.sentence}>{jobEventText(event)}</span>
      <span className={classes.actor}>{event.actor}</span>
    </li>
  )
}
