import { ActionIcon } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import { useRemote } from '#client/app/remote.ts'
import { Card } from '#client/ui/Card.tsx'
import { TableSwitch } from '#client/ui/charts/TableSwitch.tsx'
import { daysAreIn, timeZone } from '#client/ui/text/timeZone.ts'
import { datesRequest } from './analyticsQueries.ts'
import { topics } from './searchRequest.ts'
import { FilterChart, PdfButton, type CardProps } from './CardTools.tsx'
import { dateChart } from './dateChart.ts'
import { type DateField, lastPeriod, neighbours, rangeOf, unitFor } from './dateWindow.ts'
import classes from './Analytics.module.css'

type DateCardProps = CardProps & { field: DateField; title: string; present: string }

/** Files by a date, in 13 periods. Their length depends on the filtered range. */
export function DateCard({ search, field, title, present, reading, onFilter, onPreview }: DateCardProps) {
  const [windowEnd, setWindowEnd] = useState<string>()
  const [isTable, setTable] = useState(false)
  const range = rangeOf(search.searched, field, present)
  const unit = unitFor(range, present)
  const dates = useRemote(
    ...datesRequest(search, { dateField: field, dateIntervalType: unit, windowEnd }, present),
    ...topics,
  )
  const within = windowEnd === undefined ? range : { after: undefined, before: undefined }
  const chart = dates.data && dateChart({ field, title, points: dates.data, within, reading })
  const isOutside = windowEnd !== undefined && (range.after !== undefined || range.before !== undefined)
  return (
    <Card
      title={title}
      note={chart?.note}
      remote={{ ...dates, data: chart }}
      skeleton={
        <>
          <div className="appear radius-4 chart-room" />
          <div className={classes.window} />
        </>
      }
      actions={
        <>
          <TableSwitch title={title} isTable={isTable} onTurn={setTable} />
          <PdfButton title={title} disabled={!chart} onOpen={() => chart && onPreview(chart)} />
        </>
      }
    >
      {(chart) => (
        <div className="inset-12">
          <FilterChart chart={chart} isTable={isTable} onFilter={onFilter} />
          <div className={classes.window}>
            <Arrows
              title={title}
              {...neighbours(unit, windowEnd ?? lastPeriod(unit, range, present), present)}
              onMove={setWindowEnd}
            />
            <span>
              {chart.parts[0]?.label} – {chart.parts.at(-1)?.label}
            </span>
            <span title={daysAreIn}>{timeZone}</span>
            {isOutside && <span className={classes.outside}>Outside the filtered dates</span>}
          </div>
        </div>
      )}
    </Card>
  )
}

type ArrowsProps = ReturnType<typeof neighbours> & { title: string; onMove: (last: string) => void }

function Arrows({ title, previous, next, onMove }: ArrowsProps) {
  return (
    <>
      <ActionIcon
        aria-label={`${title}: previous 13 periods`}
        title="Previous"
        disabled={previous === undefined}
        onClick={() => previous !== undefined && onMove(previous)}
      >
        <IconChevronLeft size={16} stroke={1.5} />
      </ActionIcon>
      <ActionIcon
        aria-label={`${title}: next 13 periods`}
        title="Next"
        disabled={next === undefined}
        onClick={() => next !== undefined && onMove(next)}
      >
        <IconChevronRight size={16} stroke={1.5} />
      </ActionIcon>
    </>
  )
}
