import { IconAlertTriangle, IconHistory } from '@tabler/icons-react'
import { useMemo } from 'react'
import type { LoggedEvent } from '#events/event-log.ts'
import { Failure } from '../ui/Failure.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { timeText } from '../ui/text/moment.ts'
import { ChooseStream } from './ChooseStream.tsx'
import { DensityBars } from './DensityBars.tsx'
import { EventDetails } from './EventDetails.tsx'
import { EventRows } from './EventRows.tsx'
import { thingOf } from './eventSentence.ts'
import { foldingOf } from './folding.ts'
import { PlayerControls } from './PlayerControls.tsx'
import { densityOf } from './sandboxEvents.ts'
import { Sides } from './Sides.tsx'
import type { EventAddress } from './useAddress.ts'
import { usePlayer } from './usePlayer.ts'
import { useReplayKeys } from './useReplayKeys.ts'
import { useStream } from './useStream.ts'
import classes from './modes.module.css'

/** One job, or one setting, through time. */
export function ReplayMode({ address }: { address: EventAddress }) {
  const { stream } = address.filters
  const isOne = stream !== undefined && !stream.endsWith('*')
  const { data, error, loading, retry } = useStream(isOne ? stream : undefined)
  const choose = <ChooseStream key={stream} stream={isOne ? stream : undefined} address={address} />
  if (!isOne) return <Sides above={choose} list={<Hint />} details={null} />
  if (error) return <Sides above={choose} list={<Failure error={error} retry={retry} />} details={null} />
  if (!data || loading) return <Sides above={choose} list={<Skeleton rows={12} height={28} isInset />} details={null} />
  if (data.length === 0) return <Sides above={choose} list={<Missing stream={stream} />} details={null} />
  return <Played key={stream} stream={stream} events={data} address={address} />
}

const Hint = () => <Notice icon={IconHistory}>Choose a job, such as job-42, or a setting, such as volume-3.</Notice>

const Missing = ({ stream }: { stream: string }) => (
  <Notice icon={IconHistory}>{`There are no events of ${stream}.`}</Notice>
)

type PlayedProps = { stream: string; events: readonly LoggedEvent[]; address: EventAddress }

function Played({ stream, events, address }: PlayedProps) {
  // An event that is linked to may not be of this stream: then the last one before it is shown.
  const found =
    address.event === undefined ? 0 : events.findLastIndex(({ position }) => position <= (address.event ?? 0))
  const index = Math.max(0, found)
  const stateAt = useMemo(() => foldingOf(events), [events])
  const density = useMemo(() => densityOf(events), [events])
  const player = usePlayer(events, index, (to) => address.select(events[to]?.position))
  useReplayKeys(player)
  const event = events[index]
  if (!event) return null
  return (
    <Sides
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
          label={`Events of ${thingOf(stream)}`}
          events={events}
          selected={event.position}
          onSelect={({ position }) => address.select(position)}
        />
      }
      details={<EventDetails event={event} state={{ value: stateAt(index + 1) }} />}
    />
  )
}

/** What is seen is not how it is now. */
function AsOf({ stream, event }: { stream: string; event: LoggedEvent }) {
  return (
    <p className={classes.asOf}>
      <IconAlertTriangle size={16} stroke={1.5} aria-hidden />
      {`Replay: ${thingOf(stream)} as of ${timeText(event.at)}.${event.at.slice(-4, -1)}`}
    </p>
  )
}
