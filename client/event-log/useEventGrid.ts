import { type KeyboardEvent, type MouseEvent, type RefObject, useEffect, useEffectEvent } from 'react'
import type { LoggedEvent } from '#events/event-log/calls.ts'

/** The height of a row, and of the titles above. Pixels. */
export const rowHeight = 28
const headHeight = 32
const leap = 20

type EventGrid = {
  events: readonly LoggedEvent[]
  /** Which of them is selected; -1 is none. */
  at: number
  /** The id of its row. */
  activeId: string | undefined
  scroller: RefObject<HTMLElement | null>
  onSelect: (event: LoggedEvent) => void
}

/** Makes a table of events one tab stop whose keys and clicks select; what is selected is brought into sight. */
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
  PageDown: at + leap,
  PageUp: at - leap,
  Home: 0,
  End: count - 1,
})
