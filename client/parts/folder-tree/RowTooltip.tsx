import { type PointerEvent, type CSSProperties, useEffect, useRef, useState } from 'react'
import { MarkedText } from '#client/ui/values/PathText.tsx'
import { Moment } from '#client/ui/values/Moment.tsx'
import { Size } from '#client/ui/values/Size.tsx'
import type { TreeEntry } from './treeModel.ts'
import classes from './Tree.module.css'

/** Hover time before the tooltip appears. */
const delayMs = 1_000

type Tooltip = { entry: TreeEntry; x: number; y: number }

/** Tooltip of the hovered row. */
export function useRowTooltip(entryAt: (index: number) => TreeEntry | undefined) {
  const [tooltip, setTooltip] = useState<Tooltip>()
  const pending = useRef<{ index: number; timer: ReturnType<typeof setTimeout> | undefined }>({
    index: -1,
    timer: undefined,
  })
  const schedule = (index: number, begin?: () => void) => {
    clearTimeout(pending.current.timer)
    pending.current = { index, timer: begin && setTimeout(begin, delayMs) }
  }
  useEffect(() => () => clearTimeout(pending.current.timer), [])
  const hide = () => {
    schedule(-1)
    setTooltip(undefined)
  }
  const onPointerMove = ({ target, clientX: x, clientY: y, pointerType }: PointerEvent) => {
    const row = (target as Element).closest<HTMLElement>('tr[data-index]')
    const index = Number(row?.dataset['index'] ?? -1)
    if (index === pending.current.index || pointerType === 'touch') return
    setTooltip(undefined)
    schedule(index, () => {
      const entry = entryAt(index)
      if (entry) setTooltip({ entry, x: Math.min(x, innerWidth - 420), y: Math.min(y, innerHeight - 120) })
    })
  }
  return {
    tooltip: tooltip && <RowTooltip {...tooltip} />,
    watch: { onPointerMove, onPointerLeave: hide, onPointerDown: hide, onWheel: hide },
  }
}

function RowTooltip({ entry, x, y }: Tooltip) {
  const place = { '--x': `${Math.max(8, x)}px`, '--y': `${y}px` } as CSSProperties
  return (
    <div role="tooltip" className={classes.tooltip} style={place}>
      <bdi className="strong break">
        <MarkedText text={entry.name} />
      </bdi>
      <bdi className="muted mono break">
        <MarkedText text={entry.fullPath} />
      </bdi>
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
