import { streamLabel, streamNames } from '#events/streams.ts'
import { IconAlertTriangle, IconHistory } from '@tabler/icons-react'
import { useMemo, type FormEvent, useState } from 'react'
import { Button, TextInput } from '@mantine/core'
import type { LoggedEvent } from '#events/event-log/calls.ts'
import { evolveStream, emptyState } from '#events/jobs/replay.ts'
import { DensityBars } from '#client/event-log/DensityBars.tsx'
import { EventDetails } from '#client/event-log/EventDetails.tsx'
import { EventRows } from '#client/event-log/EventRows.tsx'
import { SplitView } from '#client/event-log/SplitView.tsx'
import { densityOf } from '#client/event-log/sandbox/sandboxEvents.ts'
import { server, useSource } from '#client/event-log/source.ts'
import type { EventAddress } from '#client/event-log/useAddress.ts'
import { useStream } from '#client/event-log/useStream.ts'
import { Failure } from '#client/ui/feedback/Failure.tsx'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { timeText } from '#client/ui/text/moment.ts'
import { RecentJobs } from './RecentJobs.tsx'
import { PlayerControls } from './PlayerControls.tsx'
import { usePlayer } from './usePlayer.ts'
import { useReplayKeys } from './useReplayKeys.ts'
import classes from '#client/event-log/modes.module.css'

/** Replays the history of one job or setting. */
export function ReplayMode({ address }: { address: EventAddress }) {
  const { stream } = address.filters
  const source = useSource()
  const isOne = stream !== undefined && !stream.endsWith('*')
  const { data, error, loading, retry } = useStream(isOne ? stream : undefined)
  const choose = <ChooseStream key={stream} stream={isOne ? stream : undefined} address={address} />
  if (!isOne) {
    const recent = <RecentJobs isLog={source === server} onChoose={(stream) => address.show('replay', stream)} />
    return <SplitView above={choose} list={recent} details={null} />
  }
  if (error) return <SplitView above={choose} list={<Failure error={error} retry={retry} />} details={null} />
  if (!data || loading)
    return <SplitView above={choose} list={<Skeleton rows={12} height={28} isInset />} details={null} />
  if (data.length === 0) return <SplitView above={choose} list={<Missing stream={stream} />} details={null} />
  return <Replay key={stream} stream={stream} events={data} address={address} />
}

const Missing = ({ stream }: { stream: string }) => (
  <Notice icon={IconHistory}>{`There are no events of ${stream}.`}</Notice>
)

type ReplayProps = { stream: string; events: readonly LoggedEvent[]; address: EventAddress }

function Replay({ stream, events, address }: ReplayProps) {
  // The linked event may belong to another stream. The last event before it is shown then.
  const found =
    address.event === undefined ? 0 : events.findLastIndex(({ position }) => position <= (address.event ?? 0))
  const index = Math.max(0, found)
  const stateAt = useMemo(() => statesOf(events), [events])
  const density = useMemo(() => densityOf(events), [events])
  const player = usePlayer(events, index, (to) => address.select(events[to]?.position))
  useReplayKeys(player)
  const event = events[index]
  if (!event) return null
  return (
    <SplitView
      isReplay
      above={
        <>
          <AsOf stream={stream} event={event} />
          <PlayerControls player={player} index={index} count={events.length} />
          <DensityBars density={density} playhead={event.at} />
        </>
      }
      list={
        <EventRows
          label={`Events of ${streamLabel(stream)}`}
          events={events}
          selected={event.position}
          onSelect={({ position }) => address.select(position)}
        />
      }
      details={<EventDetails event={event} state={{ value: stateAt(index + 1) }} />}
    />
  )
}

/** Notice that a past state is shown. */
function AsOf({ stream, event }: { stream: string; event: LoggedEvent }) {
  return (
    <p className={classes.asOf}>
      <IconAlertTriangle size={16} stroke={1.5} aria-hidden />
      {`Replay: ${streamLabel(stream)} as of ${timeText(event.at)}.${event.at.slice(-4, -1)}`}
    </p>
  )
}

/** A state is cached every this many events, so that stepping back folds at most this number. */
const eventsPerKeptState = 100

/** State of a stream after a number of events. Stepping forward folds a single event. */
export function statesOf(events: readonly LoggedEvent[]): (count: number) => unknown {
  const kept: unknown[] = [emptyState]
  let last = { count: 0, state: emptyState as unknown }
  return (count) => {
    const nearest = Math.min(Math.floor(count / eventsPerKeptState), kept.length - 1) * eventsPerKeptState
    let { count: at, state } =
      last.count <= count && last.count >= nearest
        ? last
        : { count: nearest, state: kept[nearest / eventsPerKeptState] }
    for (const event of events.slice(at, count)) {
      state = evolveStream(state, event)
      at += 1
      if (at % eventsPerKeptState === 0) kept[at / eventsPerKeptState] ??= state
    }
    last = { count: at, state }
    return state
  }
}

/** Selects the stream to replay. */
function ChooseStream({ stream = '', address }: { stream: string | undefined; address: EventAddress }) {
  const [typed, type] = useState(stream)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const name = typed.trim()
    // A bare number is a job id.
    if (name) address.show('replay', /^\d+$/.test(name) ? streamNames.job(Number(name)) : name)
  }
  return (
    <form className={classes.choose} onSubmit={submit}>
      <TextInput
        label="Job or setting"
        placeholder="job-42"
        value={typed}
        onChange={({ currentTarget }) => type(currentTarget.value)}
      />
      <Button type="submit" disabled={typed.trim() === ''}>
        Replay
      </Button>
    </form>
  )
}
