import { Button } from '@mantine/core'
import { IconChartLine } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useSnapshot } from 'valtio'
import { ChartFigure } from '#client/ui/charts/ChartFigure.tsx'
import type { ChartPart } from '#client/ui/charts/chartPart.ts'
import { DayLine } from '#client/ui/charts/DayLine.tsx'
import type { Limit } from '#client/ui/charts/dayLineProps.ts'
import { stepBase, tickText } from '#client/ui/charts/measure.ts'
import { TableSwitch } from '#client/ui/charts/TableSwitch.tsx'
import { Card } from '#client/ui/Card.tsx'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import type { SizeBase } from '#client/ui/text/size.ts'
import { sizeSetting } from '#client/ui/values/sizeBase.state.ts'
import type { ChosenTimeWindow } from './timeWindow.ts'
import { TimeWindowPicker } from './TimeWindowPicker.tsx'

/** Sizes by day, oldest first, for chart and table. */
export type SizeLine = { summary: string; columns: string[]; parts: ChartPart[]; limit?: Limit | undefined }

type SizeTimelineProps<T> = {
  title: string
  timeWindow: ChosenTimeWindow
  remote: Loadable<T>
  line: (data: T, base: SizeBase) => SizeLine
  onPick: (day: string) => void
  /** Custom chart instead of a single line. */
  children?: (data: T, line: SizeLine) => ReactNode
}

/** Size over the selected days. A point links to its snapshot. */
export function SizeTimeline<T>({ title, timeWindow, remote, line, onPick, children }: SizeTimelineProps<T>) {
  const { base } = useSnapshot(sizeSetting)
  const [isTable, setTable] = useState(false)
  const { frame, choose } = timeWindow
  const reading = { measure: 'size', base } as const
  return (
    <Card
      title={title}
      remote={remote}
      skeleton={<div className="appear radius-4 chart-room" />}
      actions={
        <>
          <TimeWindowPicker {...timeWindow} />
          <TableSwitch title={title} isTable={isTable} onTurn={setTable} />
        </>
      }
    >
      {(data) => {
        const drawn = line(data, base)
        const { summary, columns, parts, limit } = drawn
        return (
          <div className="inset-12">
            {parts.length === 0 ? (
              <NoPoints onWiden={frame.choice === '90' ? undefined : () => choose('90')} />
            ) : (
              <ChartFigure summary={summary} parts={parts} columns={columns} asTable={isTable} onPick={onPick}>
                {children?.(data, drawn) ?? (
                  <DayLine
                    label={title}
                    parts={parts}
                    from={frame.from}
                    to={frame.to}
                    base={stepBase(reading)}
                    tickText={tickText(reading)}
                    limit={limit}
                    onPick={onPick}
                  />
                )}
              </ChartFigure>
            )}
          </div>
        )
      }}
    </Card>
  )
}

function NoPoints({ onWiden }: { onWiden: (() => void) | undefined }) {
  return (
    <Notice
      icon={IconChartLine}
      step={
        onWiden && (
          <Button variant="default" onClick={onWiden}>
            Show the last 90 days
          </Button>
        )
      }
    >
      There is no data for the selected time frame; make sure that the scan is properly configured or try another time
      frame.
    </Notice>
  )
}
