import { Button } from '@mantine/core'
import { IconActivity, IconArrowUp, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import type { LoggedEvent } from '#events/event-log/calls.ts'
import { DensityBars } from '#client/event-log/DensityBars.tsx'
import { EventRows } from '#client/event-log/EventRows.tsx'
import { SelectedEvent } from '#client/event-log/SelectedEvent.tsx'
import { SplitView } from '#client/event-log/SplitView.tsx'
import { densityOf } from '#client/event-log/sandbox/sandboxEvents.ts'
import type { EventAddress } from '#client/event-log/useAddress.ts'
import { Failure } from '#client/ui/feedback/Failure.tsx'
import { LiveRegion } from '#client/ui/feedback/LiveRegion.tsx'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { counted } from '#client/ui/text/count.ts'
import { useTail } from './useTail.ts'
import classes from '#client/event-log/modes.module.css'

/** Events as they are appended. The list stops while it is paused, scrolled, or an event is selected. */
export function LiveMode({ address: { event, select, show } }: { address: EventAddress }) {
  const { tail, shown, waiting, round, isHeld, pause, setAway, follow } = useFollowing(event !== undefined)
  const isKnown = shown.length > 0 || (tail.isRead && !tail.error)
  const chosen = shown.find(({ position }) => position === event)
  const toLive = () => {
    follow()
    if (event !== undefined) select(undefined)
  }
  const list = (
    <EventRows
      key={round}
      label="Newest events"
      isFolded
      events={shown}
      selected={event}
      onSelect={({ position }) => select(position)}
      onScrolled={setAway}
    />
  )
  const details = event !== undefined && (
    <SelectedEvent
      position={event}
      known={chosen}
      onReplay={(stream) => show('replay', stream)}
      onClose={() => select(undefined)}
    />
  )
  return (
    <SplitView
      above={
        <>
          <Controls
            {...{ isHeld, waiting }}
            count={isKnown ? shown.length : undefined}
            toggle={isHeld ? toLive : pause}
          />
          <DensityBars density={densityOf(shown)} playhead={chosen?.at} />
        </>
      }
      list={
        <>
          {shown.length > 0 ? list : <Empty tail={tail} />}
          {isHeld && <Jump waiting={waiting} onClick={toLive} />}
        </>
      }
      details={details}
    />
  )
}

/** Newest events, or the events shown when the list was stopped. */
function useFollowing(isLooking: boolean) {
  const tail = useTail()
  const [isPaused, setPaused] = useState(false)
  const [isAway, setAway] = useState(false)
  const [round, setRound] = useState(0)
  const isHeld = isPaused || isAway || isLooking
  const shown = useHeld(tail.events, isHeld)
  const newest = shown[0]?.position ?? 0
  const waiting = tail.events.filter(({ position }) => position > newest).length
  const follow = () => {
    setPaused(false)
    setAway(false)
    setRound(round + 1)
  }
  return { tail, shown, waiting, round, isHeld, pause: () => setPaused(true), setAway, follow }
}

function Jump({ waiting, onClick }: { waiting: number; onClick: () => void }) {
  return (
    <Button className={classes.jump} leftSection={<IconArrowUp size={16} stroke={1.5} aria-hidden />} onClick={onClick}>
      {waiting > 0 ? `Jump to live (${counted(waiting, 'new event')})` : 'Jump to live'}
    </Button>
  )
}

type ControlsProps = {
  isHeld: boolean
  waiting: number
  /** Number of events; undefined until loaded. */
  count: number | undefined
  toggle: () => void
}

function Controls({ isHeld, waiting, count, toggle }: ControlsProps) {
  const Sign = isHeld ? IconPlayerPlay : IconPlayerPause
  return (
    <div className="row wrap gap-8">
      <Button variant="default" leftSection={<Sign size={16} stroke={1.5} aria-hidden />} onClick={toggle}>
        {isHeld ? 'Resume' : 'Pause'}
      </Button>
      {count !== undefined && (
        <span className="muted">
          {isHeld
            ? `Paused, ${waiting > 0 ? counted(waiting, 'new event') : 'no new events'}`
            : `Live, latest ${counted(count, 'event')}`}
        </span>
      )}
      <LiveRegion sentence={waiting > 0 ? counted(waiting, 'new event') : ''} />
    </div>
  )
}

function Empty({ tail: { error, isRead, retry } }: { tail: ReturnType<typeof useTail> }) {
  if (error) return <Failure error={error} retry={retry} />
  return isRead ? <Notice icon={IconActivity}>No events yet.</Notice> : <Skeleton rows={12} height={28} isInset />
}

/** Keeps the list unchanged while `isHeld`. */
function useHeld(events: readonly LoggedEvent[], isHeld: boolean): readonly LoggedEvent[] {
  const [held, hold] = useState(events)
  if (!isHeld && held !== events) hold(events)
  // A list that was held before the first events loaded must not stay empty.
  if (isHeld && held.length === 0 && events.length > 0) hold(events)
  return isHeld ? held : events
}
