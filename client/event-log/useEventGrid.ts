import { type KeyboardEvent, type MouseEvent, type RefObject, useEffect, useEffectEvent } from 'react'
import type { LoggedEvent } from '#events/event-log/calls.ts'

/** Heights of a row and of the header. Pixels. */
export const rowHeight = 28
const headHeight = 32
const pageRows = 20

type EventGrid = {
  events: readonly LoggedEvent[]
  /** Index of the selected row; -1 for none. */
  at: number
  /** Id of the selected row. */
  activeId: string | undefined
  scroller: RefObject<HTMLElement | null>
  onSelect: (event: LoggedEvent) => void
}

/** Makes a list of events a single tab stop. Keys and clicks select an event and scroll it into view. */
export function useEventGrid({ events, at, activeId, scroller, onSelect }: EventGrid) {
  const reveal = useEffectEvent((index: number) => {
    const { current: box } = scroller
    if (!box || index < 0) return
    const top = index * rowHeight
    const room = box.clientHeight - headHeight
    if (top < box.scrollTop) box.scrollTo({ top })
    else if (top + rowHeight > box.scrollTop + room) box.scrollTo({ top: top + rowHeight - room })
  })
  useEffect(() => reveal(at), [at])

  const onKeyDown = (event: KeyboardEvent) => {
    const to = places(at, events.length)[event.key]
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    const next = events[Math.min(events.length - 1, Math.max(0, to))]
    event.preventDefault()
    if (next) onSelect(next)
  }
  const onClick = ({ target }: MouseEvent) => {
    const row = (target as Element).closest<HTMLElement>('tr[data-index]')
    const event = events[Number(row?.dataset['index'] ?? -1)]
    if (event) onSelect(event)
  }
  return { role: 'grid', tabIndex: 0, 'aria-activedescendant': activeId, onKeyDown, onClick }
}

const places = (at: number, count: number): Record<string, number> => ({
  ArrowDown: at + 1,
  ArrowUp: at - 1,
  PageDown: at + pageRows,
  PageUp: at - pageRows,
  Home: 0,
  End: count - 1,
})
