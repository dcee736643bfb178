import { IconAlertOctagon } from '@tabler/icons-react'
import { memo, useEffect, useMemo, useEffectEvent, useId, useRef } from 'react'
import type { LoggedEvent } from '#events/event-log/calls.ts'
import { SpacerRow, useVirtualRows } from '#client/ui/table/virtualRows.tsx'
import { dayText, momentText, timeText } from '#client/ui/text/moment.ts'
import { actorText, eventSentence, eventTypeWords, foldRepeats, isFailure } from '#events/event-log/eventSentence.ts'
import { rowHeight, useEventGrid } from './useEventGrid.ts'
import long from '#client/ui/table/LongTable.module.css'
import classes from './EventRows.module.css'

type EventRowsProps = {
  label: string
  events: readonly LoggedEvent[]
  /** Adjacent events that read the same are one row, with their number. */
  isFolded?: boolean
  selected: number | undefined
  onSelect: (event: LoggedEvent) => void
  /** Called when the last rows become visible. */
  onEnd?: (() => void) | undefined
  onScrolled?: ((isAway: boolean) => void) | undefined
}

/** Virtual list of events. A single tab stop; arrow keys, Home and End select. */
export function EventRows({
  label,
  events: all,
  isFolded = false,
  selected,
  onSelect,
  onEnd,
  onScrolled,
}: EventRowsProps) {
  const { shown: events, counts } = useMemo(
    () => (isFolded ? foldRepeats(all) : { shown: all, counts: noCounts }),
    [all, isFolded],
  )
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const at = events.findIndex(({ position }) => position === selected)
  const activeId = at >= 0 ? `${id}-${events[at]?.position}` : undefined
  const grid = useEventGrid({ events, at, activeId, scroller, onSelect })
  const shown = useVirtualRows(scroller, events.length, Math.max(0, at), rowHeight)
  const isEnd = shown.rows.at(-1)?.index === events.length - 1
  const reachEnd = useEffectEvent((isEnd: boolean, _: number) => isEnd && onEnd?.())
  useEffect(() => void reachEnd(isEnd, events.length), [isEnd, events.length])
  return (
    <div
      ref={scroller}
      className={`${long.scroller} ${classes.scroller}`}
      onScroll={({ currentTarget }) => onScrolled?.(currentTarget.scrollTop > rowHeight / 2)}
    >
      <table
        className={`${long.table} ${classes.table}`}
        aria-label={label}
        aria-rowcount={events.length + 1}
        {...grid}
      >
        <Titles />
        <tbody>
          {shown.rows.flatMap(({ index, gap }) => {
            const event = events[index]
            if (!event) return []
            const rowId = `${id}-${event.position}`
            return [
              gap > 0 && <SpacerRow key={`gap ${index}`} height={gap} />,
              <Row
                key={event.position}
                id={rowId}
                event={event}
                count={counts.get(event.position)}
                index={index}
                isSelected={index === at}
              />,
            ]
          })}
          {shown.end > 0 && <SpacerRow key="end" height={shown.end} />}
        </tbody>
      </table>
    </div>
  )
}

const Titles = () => (
  <thead>
    <tr aria-rowindex={1}>
      <th scope="col" className={classes.time}>
        Time
      </th>
      <th scope="col" className={classes.sentence}>
        Event
      </th>
      <th scope="col" className={classes.actor}>
        Actor
      </th>
      <th scope="col" className={classes.stream}>
        Stream
      </th>
      <th scope="col" className={classes.type}>
        Type
      </th>
    </tr>
  </thead>
)

const noCounts = new Map<number, number>()

type RowProps = { id: string; event: LoggedEvent; count: number | undefined; index: number; isSelected: boolean }

const Row = memo(function Row({ id, event, count, index, isSelected }: RowProps) {
  const sentence = `${eventSentence(event, momentText)}${count === undefined ? '' : `, ${count} times`}`
  return (
    <tr
      id={id}
      className={classes.row}
      data-index={index}
      data-failure={isFailure(event)}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
    >
      <td className={classes.time} title={event.at}>
        <span className={classes.year}>{dayText(event.at).slice(0, 'yyyy-'.length)}</span>
        {dayText(event.at).slice('yyyy-'.length)} {timeText(event.at)}
      </td>
      <td className={classes.sentence} title={sentence}>
        {isFailure(event) && <IconAlertOctagon size={14} stroke={1.5} aria-label="Failure" />}
        {sentence}
      </td>
      <td className={classes.actor} title={actorText(event)}>
        {event.actor}
      </td>
      <td className={classes.stream} title={event.stream}>
        {event.stream}
      </td>
      <td className={classes.type} title={event.type}>
        {eventTypeWords(event)}
      </td>
    </tr>
  )
})
