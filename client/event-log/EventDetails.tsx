import { streamLabel } from '#events/streams.ts'
import { ActionIcon, Button } from '@mantine/core'
import { IconPlayerPlay, IconX } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import type { LoggedEvent } from '#events/event-log/calls.ts'
import { foldStream } from '#events/jobs/replay.ts'
import { type Tab, Tabs } from '#client/ui/Tabs.tsx'
import { Failure } from '#client/ui/feedback/Failure.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { dayText, momentText, timeText } from '#client/ui/text/moment.ts'
import { JsonTree } from '#client/ui/values/JsonTree.tsx'
import { actorText, eventSentence } from '#events/event-log/eventSentence.ts'
import { useStream } from './useStream.ts'
import classes from './EventDetails.module.css'

type Side = 'state' | 'change' | 'json'

type EventDetailsProps = {
  event: LoggedEvent
  /** State of the stream after the event, if known; otherwise it is fetched. */
  state?: { value: unknown } | undefined
  onReplay?: (() => void) | undefined
  onClose?: (() => void) | undefined
}

/** Details of an event: resulting state, changes, and the event itself. */
export function EventDetails({ event, state, onReplay, onClose }: EventDetailsProps) {
  const [side, show] = useState<Side>('state')
  const tabs: Tab<Side>[] = [
    {
      key: 'state',
      title: 'State at this moment',
      content: state ? (
        <State value={state.value} />
      ) : (
        <StateAt event={event}>{(value) => <State value={value} />}</StateAt>
      ),
    },
    { key: 'change', title: 'Change', content: <Change event={event} /> },
    { key: 'json', title: 'JSON', content: <Json value={event} /> },
  ]
  return (
    <section className={classes.details} aria-label="The event">
      <header className={classes.head}>
        <div className="grow shrink">
          <h2 className="heading break">{eventSentence(event, momentText)}</h2>
          <p className="muted small break">
            {`${dayText(event.at)} ${timeText(event.at)} · ${event.stream}, version ${event.version} · position ${event.position} · by ${actorText(event)}`}
            {event.address && ` from ${event.address}`}
          </p>
        </div>
        {onReplay && (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconPlayerPlay size={14} stroke={1.5} aria-hidden />}
            onClick={onReplay}
            title={`Replay ${streamLabel(event.stream)} up to here`}
          >
            Replay
          </Button>
        )}
        {onClose && (
          <ActionIcon aria-label="Close the event" onClick={onClose}>
            <IconX size={16} stroke={1.5} />
          </ActionIcon>
        )}
      </header>
      <div className={classes.sides}>
        <Tabs label="Views of the event" tabs={tabs} shown={side} onShow={show} />
      </div>
    </section>
  )
}

function State({ value }: { value: unknown }) {
  return value === null ? (
    <p className="muted">Nothing is stored after this event. Change has its data.</p>
  ) : (
    <Json value={value} />
  )
}

function Change({ event: { data } }: { event: LoggedEvent }) {
  if (!('before' in data) && !('after' in data)) return <Json value={data} />
  return (
    <div className={classes.change}>
      <Part title="Before" value={data['before']} />
      <Part title="After" value={data['after']} />
    </div>
  )
}

function Part({ title, value }: { title: string; value: unknown }) {
  return (
    <section aria-label={title}>
      <h3 className={classes.part}>{title}</h3>
      {value === undefined ? <p className="muted">Nothing</p> : <Json value={value} />}
    </section>
  )
}

function Json({ value }: { value: unknown }) {
  return (
    <div className={classes.json}>
      <JsonTree value={value} />
    </div>
  )
}

type StateAtProps = { event: LoggedEvent; children: (state: unknown) => ReactNode }

/** State of a stream after an event, computed in the browser from its events. */
function StateAt({ event: { stream, position }, children }: StateAtProps) {
  const { data, error, loading, retry } = useStream(stream, position)
  if (error) return <Failure error={error} retry={retry} />
  if (!data || loading) return <Skeleton rows={6} height={24} />
  return children(foldStream(data))
}
