import { useRef } from 'react'
import type { KeyboardEvent } from 'react'
import { dayAxisProps, placeOf } from '#client/ui/charts/dayAxis.ts'
import type { OnPick } from '#client/ui/charts/chartPart.ts'
import type { DayLineProps } from '#client/ui/charts/dayLineProps.ts'
import { ActivePoint } from './ActivePoint.tsx'
import { DayTooltip } from './ChartTooltip.tsx'
import { leavePointer } from './leavePointer.ts'
import classes from './Drawn.module.css'

/** Dots are hidden above this number of days. */
const maxDots = 30

type DayChart = Pick<DayLineProps, 'label' | 'parts' | 'from' | 'to'> & { onPick: OnPick | undefined }

/** Shared parts of the charts by day: the axis of days, the tooltip, and opening a day by mouse or keyboard. */
export function usePickedDay({ label, parts, from, to, onPick }: DayChart) {
  const active = useRef<string | number>(undefined)
  const pick = (place: unknown) => {
    const part = parts.find(({ key, isPickable }) => isPickable && placeOf(key) === Number(place))
    if (part) onPick?.(part.key)
  }
  return {
    chart: {
      desc: `${label}. Arrows move between the days, Enter opens one.`,
      onClick: ({ activeLabel }: { activeLabel?: string | number | undefined }) => pick(activeLabel),
    },
    container: {
      className: classes.chart,
      withDots: parts.length <= maxDots,
      xAxisProps: dayAxisProps(from, to),
      tooltipProps: { content: <DayTooltip parts={parts} />, isAnimationActive: false },
      onKeyDown: ({ key, currentTarget }: KeyboardEvent<HTMLElement>) => {
        if (key.startsWith('Arrow')) leavePointer(currentTarget)
        if (key === 'Enter') pick(active.current)
      },
      'data-pickable': onPick !== undefined,
    },
    activePoint: (
      <ActivePoint
        onMove={(place) => {
          active.current = place
        }}
      />
    ),
  }
}
