import { Button } from '@mantine/core'
import { IconListSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { DensityBars } from '#client/event-log/DensityBars.tsx'
import { EventRows } from '#client/event-log/EventRows.tsx'
import { SelectedEvent } from '#client/event-log/SelectedEvent.tsx'
import { SplitView } from '#client/event-log/SplitView.tsx'
import { noDensity } from '#client/event-log/sandbox/sandboxEvents.ts'
import { useSource } from '#client/event-log/source.ts'
import type { EventAddress } from '#client/event-log/useAddress.ts'
import { useSourceQuery } from '#client/event-log/useSourceQuery.ts'
import { Failure } from '#client/ui/feedback/Failure.tsx'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { FilterBar } from './FilterBar.tsx'
import { useEventPages } from './useEventPages.ts'
import classes from '#client/event-log/modes.module.css'

/** Filtered list of past events, with details of one. */
export function BrowseMode({ address }: { address: EventAddress }) {
  const { filters, event, select, filter } = address
  const source = useSource()
  // A linked event is first in the list; newer events can be loaded.
  const [linked, setLinked] = useState(event)
  const pages = useEventPages(filters, linked === undefined ? undefined : linked + 1)
  const density = useSourceQuery(`${source.name} ${JSON.stringify(filters)}`, (signal) =>
    source.density(filters, signal),
  )
  const chosen = pages.events.find(({ position }) => position === event)
  return (
    <SplitView
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

function List({
  pages: { events, loading, error, more, retry },
  address: { event, filters, select, clear },
}: ListProps) {
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
        No events match these filters.
      </Notice>
    )
  }
  return (
    <EventRows
      label="Events"
      events={events}
      isFolded={filters.type.length === 0 && !filters.stream && !filters.text}
      selected={event}
      onSelect={({ position }) => select(position)}
      onEnd={more}
    />
  )
}
