import { type PointerEvent, type CSSProperties, useEffect, useRef, useState } from 'react'
import { visible } from '../entry-text/EntryName.tsx'
import { Moment } from '../../ui/Moment.tsx'
import { Size } from '../../ui/Size.tsx'
import type { TreeEntry } from './treeModel.ts'
import classes from './Tree.module.css'

/** How long the pointer rests on a row until it tells more, in milliseconds. */
const delay = 1_000

type Told = { entry: TreeEntry; x: number; y: number }

/** What a row tells when the pointer rests on it. */
export function useRowTooltip(entryAt: (index: number) => TreeEntry | undefined) {
  const [told, tell] = useState<Told>()
  const waiting = useRef<{ index: number; timer: ReturnType<typeof setTimeout> | undefined }>({
    index: -1,
    timer: undefined,
  })
  const wait = (index: number, begin?: () => void) => {
    clearTimeout(waiting.current.timer)
    waiting.current = { index, timer: begin && setTimeout(begin, delay) }
  }
  useEffect(() => () => clearTimeout(waiting.current.timer), [])
  const end = () => {
    wait(-1)
    tell(undefined)
  }
  const onPointerMove = ({ target, clientX: x, clientY: y, pointerType }: PointerEvent) => {
    const row = (target as Element).closest<HTMLElement>('tr[data-index]')
    const index = Number(row?.dataset['index'] ?? -1)
    if (index === waiting.current.index || pointerType === 'touch') return
    tell(undefined)
    wait(index, () => {
      const entry = entryAt(index)
      if (entry) tell({ entry, x: Math.min(x, innerWidth - 420), y: Math.min(y, innerHeight - 120) })
    })
  }
  const tooltip = told && <RowTooltip {...told} />
  return { tooltip, watch: { onPointerMove, onPointerLeave: end, onPointerDown: end, onWheel: end } }
}

function RowTooltip({ entry, x, y }: Told) {
  const place = { '--x': `${Math.max(8, x)}px`, '--y': `${y}px` } as CSSProperties
  return (
    <div role="tooltip" className={classes.tooltip} style={place}>
      <bdi className={classes.tooltipName}>{visible(entry.name)}</bdi>
      <bdi className={classes.tooltipPath}>{visible(entry.path)}</bdi>
      <span>
        <Size bytes={entry.size} />
        {entry.lastModified && (
          <>
            , modified <Moment at={entry.lastModified} />
          </>
        )}
      </span>
    </div>
  )
}
