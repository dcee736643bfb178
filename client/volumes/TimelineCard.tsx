import { Button } from '@mantine/core'
import { IconChartLine } from '@tabler/icons-react'
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { ChartFigure } from '../ui/charts/ChartFigure.tsx'
import { DayLine } from '../ui/charts/DayLine.tsx'
import { stepBase, tickText } from '../ui/charts/measure.ts'
import { TableSwitch } from '../ui/charts/TableSwitch.tsx'
import { Card } from '../ui/Card.tsx'
import { Notice } from '../ui/Notice.tsx'
import { sizeSetting } from '../ui/sizeBase.state.ts'
import { timelineChart } from './timelineChart.ts'
import type { Timeline } from './useTimeline.ts'
import { WindowChoice } from './WindowChoice.tsx'
import classes from './Volume.module.css'

const title = 'Used Capacity'

/** How the used capacity went; a point leads to its snapshot. */
export function TimelineCard({ timeline }: { timeline: Timeline }) {
  const { base } = useSnapshot(sizeSetting)
  const [isTable, turn] = useState(false)
  const { frame, points, choose, openDay } = timeline
  const reading = { measure: 'size', base } as const
  return (
    <Card
      title={title}
      remote={points}
      skeleton={<div className={classes.waiting} />}
      actions={<TableSwitch title={title} isTable={isTable} onTurn={turn} />}
    >
      {(points) => {
        const { summary, columns, parts, limit } = timelineChart(points, base)
        return (
          <div className={classes.chart}>
            <WindowChoice timeline={timeline} />
            {parts.length === 0 ? (
              <NoPoints onWiden={frame.choice === '90' ? undefined : () => choose('90')} />
            ) : (
              <ChartFigure summary={summary} parts={parts} columns={columns} asTable={isTable} onPick={openDay}>
                <DayLine
                  label={title}
                  parts={parts}
                  from={frame.from}
                  to={frame.to}
                  base={stepBase(reading)}
                  tickText={tickText(reading)}
                  limit={limit}
                  onPick={openDay}
                />
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
