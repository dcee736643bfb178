import { Button } from '@mantine/core'
import { IconListSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { Failure } from '../ui/Failure.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { DensityBars } from './DensityBars.tsx'
import { EventRows } from './EventRows.tsx'
import { FilterBar } from './FilterBar.tsx'
import { noDensity } from './sandboxEvents.ts'
import { SelectedEvent } from './SelectedEvent.tsx'
import { Sides } from './Sides.tsx'
import { useSource } from './SourceContext.ts'
import type { EventAddress } from './useAddress.ts'
import { useAnswer } from './useAnswer.ts'
import { useEventPages } from './useEventPages.ts'
import classes from './modes.module.css'

/** Everything that was, filtered; one event in full. */
export function BrowseMode({ address }: { address: EventAddress }) {
  const { filters, event, select, filter } = address
  const source = useSource()
  // An event that is linked to stands first; newer ones are a step away.
  const [linked, setLinked] = useState(event)
  const pages = useEventPages(filters, linked === undefined ? undefined : linked + 1)
  const density = useAnswer(`${source.name} ${JSON.stringify(filters)}`, (signal) => source.density(filters, signal))
  const chosen = pages.events.find(({ position }) => position === event)
  return (
    <Sides
      above={
        <>
          <FilterBar address={address} />
          <DensityBars
            density={density.data ?? noDensity}
            playhead={chosen?.at}
            onChoose={(from, to) => filter({ from, to })}
          />
        </>
      }
      list={
        <>
          {linked !== undefined && (
            <Button className={classes.jump} onClick={() => setLinked(undefined)}>
              Show newer events
            </Button>
          )}
          <List pages={pages} address={address} />
        </>
      }
      details={
        event !== undefined && (
          <SelectedEvent
            position={event}
            known={chosen}
            onReplay={(stream) => address.show('replay', stream)}
            onClose={() => select(undefined)}
          />
        )
      }
    />
  )
}

type ListProps = { pages: ReturnType<typeof useEventPages>; address: EventAddress }

function List({ pages: { events, loading, error, more, retry }, address: { event, select, clear } }: ListProps) {
  if (error) return <Failure error={error} retry={retry} />
  if (events.length === 0 && loading) return <Skeleton rows={12} height={28} isInset />
  if (events.length === 0) {
    const step = (
      <Button variant="default" onClick={clear}>
        Clear filters
      </Button>
    )
    return (
      <Notice icon={IconListSearch} step={step}>
        No event meets these filters.
      </Notice>
    )
  }
  return (
    <EventRows
      label="Events"
      events={events}
      selected={event}
      onSelect={({ position }) => select(position)}
      onEnd={more}
    />
  )
}
